import type { MailWords } from './en';

export const es: MailWords = {
  resetSubject: 'Restablezca su contraseña',
  resetLead: 'Alguien ha pedido restablecer la contraseña de su cuenta.',
  resetLink: 'Para elegir una nueva, siga este enlace en el plazo de una hora',
  choosePassword: 'Elegir una contraseña',
  earlierToken:
    'La cuenta tiene una clave de API que quizá creó alguien antes que usted. Sigue siendo válida hasta que se una a un espacio o abra uno. Si no es suya, revóquela.',
  notYou: 'Si no ha sido usted, no tiene que hacer nada.',
  verifySubject: 'Confirme su dirección de correo',
  verifyLead: 'Alguien ha abierto una cuenta con esta dirección de correo.',
  verifyLink: 'Si ha sido usted, siga este enlace en 48 horas para confirmar la dirección',
  verifyButton: 'Confirmar la dirección',
  verifyNotYou:
    'Si no, no lo siga. La cuenta no recibe nada que sea para usted.\nPara hacerla suya, pida un enlace con «contraseña olvidada»: su contraseña y sus sesiones terminan entonces.',
  firstSubject: 'Su cuenta está lista',
  firstLead: 'La primera cuenta de esta instalación es suya.',
  firstLink: 'Para elegir su contraseña, siga este enlace en 48 horas',
  firstAfter: 'Después, pida un enlace con «contraseña olvidada».',
  webhookSubject: (shop) => `Se ha desactivado un webhook de ${shop}`,
  webhookGone: 'ha respondido que ya no existe (410)',
  webhookFailing: 'todos los intentos de los últimos cinco días han fallado',
  webhookLead: (shop, url, why) => `Los eventos de ${shop} ya no se envían a ${url}: ${why}.`,
  webhookNext: 'Lo que esperaba se conserva. Arregle el receptor y vuelva a activar el webhook.',
  companySubject: 'Quién más está en sus espacios',
  companyLead:
    'Acaba de mostrar que esta dirección de correo es suya. Antes, otra persona pudo usar la cuenta.\nEstas personas están en espacios que abrió:',
  companyMore: (count) => `y ${count} más`,
  companyNext:
    'Quite del equipo a quien no conozca; mire también los webhooks y las integraciones.\nLas invitaciones que nadie había aceptado han terminado.',
};
