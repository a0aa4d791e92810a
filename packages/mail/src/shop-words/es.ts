import type { ShopWords } from './words';

export const es: ShopWords = {
  texts: {
    invitation: {
      subject: 'Invitación a {{shop}}',
      text: '{{inviter}} le invita al espacio {{shop}}.',
      button: 'Aceptar la invitación',
    },
    pairing_code: {
      subject: 'Su código de vínculo para {{shop}}',
      text: 'Su código para entrar en la aplicación de {{shop}} es {{code}}. Es válido durante 10 minutos.',
      button: null,
    },
    portal_code: {
      subject: 'Su código de acceso a {{shop}}',
      text: 'Su código para acceder a {{shop}} es {{code}}. Es válido durante 10 minutos.',
      button: null,
    },
    pass: {
      subject: 'Su tarjeta de {{shop}}',
      text: '{{greeting}}\n\naquí tiene su tarjeta de {{shop}}. Añádala a la cartera de su teléfono:',
      button: null,
    },
    confirmation: {
      subject: 'Confirme: su tarjeta de {{shop}}',
      text: '{{greeting}}\n\nalguien, seguramente usted, ha rellenado el formulario de {{shop}} con su dirección. Nada de lo que sabemos de usted cambia hasta que lo confirme.',
      button: 'Ver y confirmar',
    },
  },
  why: {
    invitation: '{{inviter}} ha escrito esta dirección para invitarle a {{shop}}.',
    pairing_code: '{{shop}} le deja usar su aplicación con esta dirección.',
    portal_code: 'Alguien ha escrito esta dirección para entrar en {{shop}}.',
    pass: 'Esta dirección se dio para una tarjeta de {{shop}}.',
    confirmation: 'Alguien ha escrito esta dirección en un formulario de {{shop}}.',
  },
  greeting: 'Hola, {{first_name}}:',
  greetingOfNobody: 'Hola:',
  acceptBy: 'Para aceptar, siga este enlace en 7 días',
  codeNotAsked: 'Si no lo ha solicitado, no tiene que hacer nada.',
  apple: 'Añadir a Apple Wallet',
  google: 'Añadir a Google Wallet',
  portal: 'Ver sus puntos y premios',
  ignore: '¿No la ha pedido? Entonces puede ignorar este mensaje.',
  consent: 'Con ello acepta lo siguiente:\n«{{text}}»',
  confirmUntil: 'El enlace vale 48 horas y una sola vez.',
  passBefore: 'Ya tiene una tarjeta. Aquí está:',
  passWithoutWallet: '{{greeting}}\n\naquí tiene su tarjeta de {{shop}}.',
  noWallet:
    'Su tarjeta todavía no puede ir a ninguna cartera. En la caja basta su nombre o su dirección de correo.',
  privacy: 'Privacidad',
  imprint: 'Aviso legal',
};
