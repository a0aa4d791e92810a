import type { SegmentDirectory, TemplateDirectory } from './deps';

/** The answer while no service keeps segments: every id names nothing, and nobody is in it. */
export const noSegments: SegmentDirectory = {
  unknownAmong: async (_workspaceId, segmentIds) => [...segmentIds],
  containing: async () => [],
};

/** The answer while no service keeps pass templates: every id names nothing. */
export const noTemplates: TemplateDirectory = {
  unknownAmong: async (_workspaceId, templateIds) => [...templateIds],
};
