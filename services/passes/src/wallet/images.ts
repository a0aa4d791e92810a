/** Where the pictures of passes come from. */
export interface Images {
  /** The bytes of an image source (file id or https URL); null where there is no such picture. */
  load(workspaceId: string, source: string): Promise<Buffer | null>;
  /** An address where Google finds the picture; null where there is none. */
  addressOf(workspaceId: string, source: string): Promise<string | null>;
}

export const noImages: Images = {
  load: async () => null,
  addressOf: async () => null,
};
