import type { Handlers } from '@laurel/rpc';
import type { CoreDeps } from './deps';
import { countPasses } from './use-cases/count-passes';
import { createPass } from './use-cases/create-pass';
import { createProject } from './use-cases/create-project';
import { createTemplate } from './use-cases/create-template';
import { deleteFile } from './use-cases/delete-file';
import { deletePass } from './use-cases/delete-pass';
import { deleteProject } from './use-cases/delete-project';
import { deleteTemplate } from './use-cases/delete-template';
import { getAsset } from './use-cases/get-asset';
import { getPassFigures } from './use-cases/get-pass-figures';
import { previewImageSource, refreshImageSource } from './use-cases/image-sources';
import { listFiles } from './use-cases/list-files';
import { listPushes, retryPush } from './use-cases/list-pushes';
import { getLoyaltyRenderData } from './use-cases/loyalty-render-data';
import { migrateTemplate } from './use-cases/migrate-template';
import {
  findPassByBarcode,
  getPass,
  listPasses,
  listPassesOfClients,
  locatePasses,
} from './use-cases/read-passes';
import {
  getProject,
  getProjectStats,
  getProjects,
  listProjects,
  locateProject,
} from './use-cases/read-projects';
import {
  getTemplate,
  getTemplates,
  listTemplates,
  locateTemplate,
} from './use-cases/read-templates';
import { refreshWorkspace } from './use-cases/refresh-for';
import { storeFile } from './use-cases/store-file';
import { updatePass } from './use-cases/update-pass';
import { updateProject } from './use-cases/update-project';
import { updateTemplate } from './use-cases/update-template';

/** Projects, templates and passes: rpc -> use case. */
export const coreHandlers = (deps: CoreDeps) =>
  ({
    ListProjects: (request) => listProjects(deps, request),
    GetProject: (request) => getProject(deps, request),
    CreateProject: (request) => createProject(deps, request),
    UpdateProject: (request) => updateProject(deps, request),
    DeleteProject: (request) => deleteProject(deps, request),
    GetProjectStats: (request) => getProjectStats(deps, request),
    ListTemplates: (request) => listTemplates(deps, request),
    GetTemplate: (request) => getTemplate(deps, request),
    CreateTemplate: (request) => createTemplate(deps, request),
    UpdateTemplate: (request) => updateTemplate(deps, request),
    DeleteTemplate: (request) => deleteTemplate(deps, request),
    MigrateTemplate: (request) => migrateTemplate(deps, request),
    ListPasses: (request) => listPasses(deps, request),
    GetPass: (request) => getPass(deps, request),
    CreatePass: (request) => createPass(deps, request),
    UpdatePass: (request) => updatePass(deps, request),
    GetLoyaltyRenderData: (request) => getLoyaltyRenderData(deps, request),
    DeletePass: (request) => deletePass(deps, request),
    RefreshPasses: async (request) => ({
      template_count: await refreshWorkspace(deps, request.workspace_id),
    }),
    GetPassFigures: (request) => getPassFigures(deps, request),
    CountPasses: (request) => countPasses(deps, request),
    ListPushes: (request) => listPushes(deps, request),
    RetryPush: (request) => retryPush(deps, request),
    StoreFile: (request) => storeFile(deps, request),
    ListFiles: (request) => listFiles(deps, request),
    DeleteFile: (request) => deleteFile(deps, request),
    GetAsset: (request) => getAsset(deps, request),
    PreviewImageSource: (request) => previewImageSource(deps, request),
    RefreshImageSource: (request) => refreshImageSource(deps, request),
    GetProjects: (request) => getProjects(deps, request),
    GetTemplates: (request) => getTemplates(deps, request),
    ListPassesOfClients: (request) => listPassesOfClients(deps, request),
    FindPassByBarcode: (request) => findPassByBarcode(deps, request),
    LocateProject: (request) => locateProject(deps, request),
    LocateTemplate: (request) => locateTemplate(deps, request),
    LocatePasses: (request) => locatePasses(deps, request),
  }) satisfies Partial<Handlers<'passes'>>;
