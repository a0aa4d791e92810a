/**
 * What an e-mail address is compared by: lower case (part 3, section 16), however its accents are encoded: the keyboard
 * decides that, and it cannot be seen. Composed last, since lower case takes some letters apart. Empty where the text is.
 */
export const emailKey = (email: string): string => email.trim().toLowerCase().normalize('NFC');
