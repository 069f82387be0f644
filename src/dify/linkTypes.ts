import type { DifyMode } from '#client/dify/management.ts';

/** Content of `NAME.dify.json` next to an agent file: its app in Dify, and the state of both when they last matched. */
export interface DifyLink {
	/** Scheme, host and port of the deployment. */
	readonly origin: string;
	readonly workspace_id: string;
	readonly app_id: string;
	readonly mode: DifyMode;
	readonly base: {
		/** Opaque hash of the draft, if Dify provides one. */
		readonly draft_hash?: string;
		/** SHA-256 of the content, without layout, dependencies, format version and secrets (contentHash.ts). */
		readonly content_hash: string;
		/** SHA-256 of the layout, which shows which side moved nodes; absent in sidecars written by hand. */
		readonly layout_hash?: string;
		/** ID of the pulled version, if it wasn't the draft. */
		readonly version_id?: string;
		/** Format version of Dify's export. */
		readonly dsl_version: string;
	};
}

/** Result of comparing file, base and Dify. `layout`: only the layout differs. */
export type LinkState = 'same' | 'layout' | 'changed-here' | 'changed-there' | 'changed-both';
