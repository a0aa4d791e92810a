import { queuedMessages } from '@laurel/mail';
import type { CollectionIndexes } from '@laurel/mongo';
import { confirmationIndexes } from './store/confirmations';
import { contentIndexes } from './store/contents';
import { dailyPassIndexes } from './store/daily-passes';
import { distributionIndexes } from './store/distributions';
import { enrollmentMailIndexes } from './store/enrollment-mails';
import { enrollmentIndexes as enrollmentRowIndexes } from './store/enrollments';
import { fileIndexes } from './store/files';
import { formerBarcodeIndexes } from './store/former-barcodes';
import { googleCallbackIndexes } from './store/google-callbacks';
import { googleObjectIndexes } from './store/google-objects';
import { installIndexes } from './store/installs';
import { mobileAppIndexes } from './store/mobile-apps';
import { passIndexes } from './store/pass-indexes';
import { passUpdateIndexes } from './store/pass-updates';
import { projectIndexes } from './store/projects';
import { registrationIndexes } from './store/registrations';
import { resendIndexes } from './store/resends';
import { retiredPassIndexes } from './store/retired-passes';
import { staffOperationIndexes } from './store/staff-operations';
import { submissionIndexes } from './store/submissions';
import { templateRefreshIndexes } from './store/template-refreshes';
import { templateIndexes } from './store/templates';

export const indexes: readonly CollectionIndexes[] = [
  dailyPassIndexes,
  ...fileIndexes,
  formerBarcodeIndexes,
  passIndexes,
  passUpdateIndexes,
  projectIndexes,
  retiredPassIndexes,
  ...templateIndexes,
  templateRefreshIndexes,
  contentIndexes,
  googleObjectIndexes,
  installIndexes,
  googleCallbackIndexes,
  registrationIndexes,
  distributionIndexes,
  enrollmentRowIndexes,
  confirmationIndexes,
  enrollmentMailIndexes,
  submissionIndexes,
  resendIndexes,
  queuedMessages,
  mobileAppIndexes,
  staffOperationIndexes,
];
