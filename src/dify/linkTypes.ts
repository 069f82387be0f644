import type { DifyMode } from '#client/dify/management.ts';

/** What `NAME.dify.json` beside an agent file says: the app that the file is of, and what both were when they were last the same. */
export interface DifyLink {
	/** Scheme, host and port of the deployment. */
	readonly origin: string;
	readonly workspace_id: string;
	readonly app_id: string;
	readonly mode: DifyMode;
	readonly base: {
		/** Opaque; the draft's, where the deployment names drafts. */
		readonly draft_hash?: string;
		/** SHA-256 of what the file says but for layout, dependencies, format version and secrets (contentHash.ts). */
		readonly content_hash: string;
		/** SHA-256 of its layout, to tell which side moved nodes; unknown to sidecars that were written by hand. */
		readonly layout_hash?: string;
		/** The version that was pulled, where it was not the draft. */
		readonly version_id?: string;
		/** Version of the format in which the deployment wrote it. */
		readonly dsl_version: string;
	};
}

/** How file, base and deployment stand to each other. `layout`: they differ in layout alone. */
export type LinkState = 'same' | 'layout' | 'changed-here' | 'changed-there' | 'changed-both';
