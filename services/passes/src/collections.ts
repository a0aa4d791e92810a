import { ofEveryService } from '@laurel/backend';
import { queuedMessages } from '@laurel/mail';
import { type Declared, departures } from '@laurel/mongo';
import { confirmations } from './store/confirmations';
import { contents } from './store/contents';
import { credentials } from './store/credentials';
import { dailyPasses } from './store/daily-passes';
import { distributions } from './store/distributions';
import { drawnPictures } from './store/drawn-pictures';
import { enrollmentMails } from './store/enrollment-mails';
import { enrollments } from './store/enrollments';
import { fileContents } from './store/file-contents';
import { files } from './store/files';
import { formerBarcodes } from './store/former-barcodes';
import { googleCallbacks } from './store/google-callbacks';
import { googleObjects } from './store/google-objects';
import { imageUrls } from './store/image-urls';
import { installs } from './store/installs';
import { linkKeys } from './store/link-keys';
import { mobileApps } from './store/mobile-apps';
import { passes } from './store/pass-rows';
import { passUpdates } from './store/pass-updates';
import { projects } from './store/projects';
import { registrations } from './store/registrations';
import { resends } from './store/resends';
import { retiredPasses } from './store/retired-passes';
import { staffOperations } from './store/staff-operations';
import { submissions } from './store/submissions';
import { templateDoors } from './store/template-doors';
import { templateRefreshes } from './store/template-refreshes';
import { templates } from './store/templates';

/** Projects, templates, passes and files. */
export const ofPasses: readonly Declared[] = [
  templateRefreshes,
  passes,
  formerBarcodes,
  passUpdates,
  retiredPasses,
  templateDoors,
  templates,
  projects,
  drawnPictures,
  imageUrls,
  fileContents,
  files,
  dailyPasses,
  departures,
  ...ofEveryService,
];

/** Passes on phones. */
export const ofWallets: readonly Declared[] = [
  registrations,
  googleObjects,
  installs,
  contents,
  credentials,
  googleCallbacks,
  linkKeys,
];

/** Distributions and what comes of their forms. */
export const ofEnrollment: readonly Declared[] = [
  queuedMessages,
  distributions,
  enrollments,
  confirmations,
  enrollmentMails,
  submissions,
  resends,
];

/** The staff app. */
export const ofMobile: readonly Declared[] = [staffOperations, mobileApps];

/** Everything that this service keeps. Each part has queues of its own, from when it was by itself. */
export const collections: readonly Declared[] = [
  ...ofPasses,
  ...ofWallets,
  ...ofEnrollment,
  ...ofMobile,
];
