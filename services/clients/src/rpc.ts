import type { Handlers } from '@laurel/rpc';
import type { Deps } from './deps';
import { aggregateEvents } from './use-cases/aggregate-events';
import { anonymizeClient } from './use-cases/anonymize-client';
import { appendImport } from './use-cases/append-import';
import { cancelImport } from './use-cases/cancel-import';
import { checkCustomFields } from './use-cases/check-custom-fields';
import { checkImport } from './use-cases/check-import';
import { abandonImport, closeImport } from './use-cases/close-import';
import { countSegment } from './use-cases/count-segment';
import { countSignups } from './use-cases/count-signups';
import { createClient } from './use-cases/create-client';
import { createField } from './use-cases/create-field';
import { createSegment } from './use-cases/create-segment';
import { deleteClient } from './use-cases/delete-client';
import { deleteEvents } from './use-cases/delete-events';
import { deleteExternalIdentity } from './use-cases/delete-external-identity';
import { deleteField } from './use-cases/delete-field';
import { deleteSegment } from './use-cases/delete-segment';
import { duplicateSegment } from './use-cases/duplicate-segment';
import { eraseClient } from './use-cases/erase-client';
import { exportClient, exportPerson } from './use-cases/export-client';
import { exportClients } from './use-cases/export-clients';
import { findClientBy } from './use-cases/find-client-by';
import { findReferences } from './use-cases/find-references';
import { getClient } from './use-cases/get-client';
import { getClientStanding } from './use-cases/get-client-standing';
import { getClients } from './use-cases/get-clients';
import { getCustomerFigures } from './use-cases/get-customer-figures';
import { getEvent, locateEvent } from './use-cases/get-event';
import { getImportJob, listImportJobs } from './use-cases/get-import-job';
import { getSegments, locateSegment } from './use-cases/get-segments';
import { getTransactionMetrics } from './use-cases/get-transaction-metrics';
import { listAttention } from './use-cases/list-attention';
import { listClients } from './use-cases/list-clients';
import { listEvents } from './use-cases/list-events';
import { listExternalIdentities } from './use-cases/list-external-identities';
import { listFields } from './use-cases/list-fields';
import { listLastEvents } from './use-cases/list-last-events';
import { listSegmentClients } from './use-cases/list-segment-clients';
import { listSegments } from './use-cases/list-segments';
import { listSuccessors } from './use-cases/list-successors';
import { locatePasses } from './use-cases/locate-passes';
import { measureActivity } from './use-cases/measure-activity';
import { measureAudience } from './use-cases/measure-audience';
import { mergeClients } from './use-cases/merge-clients';
import { noteAddressProof } from './use-cases/note-address-proof';
import { noteReachedPhone } from './use-cases/note-reached-phone';
import { openImport } from './use-cases/open-import';
import { previewSegment } from './use-cases/preview-segment';
import { putExternalIdentity } from './use-cases/put-external-identity';
import { quoteRefundLink } from './use-cases/quote-refund-link';
import { quoteUpdate } from './use-cases/quote-update';
import { recordCustomEvent } from './use-cases/record-custom-event';
import { recordEngagement } from './use-cases/record-engagement';
import { recordEvent, recordEvents } from './use-cases/record-events';
import { recordTrail } from './use-cases/record-trail';
import { search } from './use-cases/search';
import { searchClients } from './use-cases/search-clients';
import { segmentsContaining } from './use-cases/segments-containing';
import { updateClient } from './use-cases/update-client';
import { updateCustomFields } from './use-cases/update-custom-fields';
import { updateField } from './use-cases/update-field';
import { updateSegment } from './use-cases/update-segment';

/** What this service answers. */
export const rpcHandlers = (deps: Deps): Handlers<'clients'> => ({
  CreateClient: (request) => createClient(deps, request),
  GetClient: (request) => getClient(deps, request),
  UpdateClient: (request) => updateClient(deps, request),
  QuoteRefundLink: (request) => quoteRefundLink(deps, request),
  QuoteUpdate: (request) => quoteUpdate(deps, request),
  UpdateCustomFields: (request) => updateCustomFields(deps, request),
  DeleteClient: (request) => deleteClient(deps, request),
  ListClients: (request) => listClients(deps, request),
  SearchClients: (request) => searchClients(deps, request),
  AnonymizeClient: (request) => anonymizeClient(deps, request),
  EraseClient: (request) => eraseClient(deps, request),
  MergeClients: (request) => mergeClients(deps, request),
  CountSignups: (request) => countSignups(deps, request),
  GetClientStanding: (request) => getClientStanding(deps, request),
  NoteAddressProof: (request) => noteAddressProof(deps, request),
  NoteReachedPhone: (request) => noteReachedPhone(deps, request),
  GetClients: (request) => getClients(deps, request),
  ListSuccessors: (request) => listSuccessors(deps, request),
  ListLastEvents: (request) => listLastEvents(deps, request),
  FindClientBy: (request) => findClientBy(deps, request),
  MeasureActivity: (request) => measureActivity(deps, request),
  GetTransactionMetrics: (request) => getTransactionMetrics(deps, request),
  ListFields: (request) => listFields(deps, request),
  CheckCustomFields: (request) => checkCustomFields(deps, request),
  CreateField: (request) => createField(deps, request),
  UpdateField: (request) => updateField(deps, request),
  DeleteField: (request) => deleteField(deps, request),
  ListExternalIdentities: (request) => listExternalIdentities(deps, request),
  PutExternalIdentity: (request) => putExternalIdentity(deps, request),
  DeleteExternalIdentity: (request) => deleteExternalIdentity(deps, request),
  ExportClient: (request) => exportClient(deps, request),
  ExportPerson: (request) => exportPerson(deps, request),
  ExportClients: (request) => exportClients(deps, request),
  ...importHandlers(deps),
  ...segmentHandlers(deps),
  LocatePasses: (request) => locatePasses(deps, request),
  RecordEvent: (request) => recordEvent(deps, request),
  RecordEvents: (request) => recordEvents(deps, request),
  RecordEngagement: (request) => recordEngagement(deps, request),
  RecordCustomEvent: (request) => recordCustomEvent(deps, request),
  RecordTrail: (request) => recordTrail(deps, request),
  ListEvents: (request) => listEvents(deps, request),
  GetEvent: (request) => getEvent(deps, request),
  LocateEvent: (request) => locateEvent(deps, request),
  DeleteEvents: (request) => deleteEvents(deps, request),
  MeasureAudience: (request) => measureAudience(deps, request),
  SegmentsContaining: (request) => segmentsContaining(deps, request),
  FindReferences: (request) => findReferences(deps, request),
  Search: (request) => search(deps, request),
  ListAttention: (request) => listAttention(deps, request),
  GetCustomerFigures: (request) => getCustomerFigures(deps, request),
  AggregateEvents: (request) => aggregateEvents(deps, request),
});

/** What segments are, and who is in them. */
const segmentHandlers = (deps: Deps) =>
  ({
    CreateSegment: (request) => createSegment(deps, request),
    UpdateSegment: (request) => updateSegment(deps, request),
    DeleteSegment: (request) => deleteSegment(deps, request),
    DuplicateSegment: (request) => duplicateSegment(deps, request),
    ListSegments: (request) => listSegments(deps, request),
    LocateSegment: (request) => locateSegment(deps, request),
    GetSegments: (request) => getSegments(deps, request),
    CountSegment: (request) => countSegment(deps, request),
    ListSegmentClients: (request) => listSegmentClients(deps, request),
    PreviewSegment: (request) => previewSegment(deps, request),
  }) satisfies Partial<Handlers<'clients'>>;

/** Clients from a file. */
const importHandlers = (deps: Deps) =>
  ({
    OpenImport: (request) => openImport(deps, request),
    AppendImport: (request) => appendImport(deps, request),
    CloseImport: (request) => closeImport(deps, request),
    AbandonImport: (request) => abandonImport(deps, request),
    CancelImport: (request) => cancelImport(deps, request),
    ListImportJobs: (request) => listImportJobs(deps, request),
    CheckImport: (request) => checkImport(deps, request),
    GetImportJob: (request) => getImportJob(deps, request),
  }) satisfies Partial<Handlers<'clients'>>;
