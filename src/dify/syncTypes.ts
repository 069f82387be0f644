import type { Translate } from '#base/text/localization.ts';
import type { AppVersion, DifyManagement, DifyMode, ExportedApp, LeakedDependency } from '#client/dify/management.ts';
import type { AppDifference } from './content/differenceTypes.ts';
import type { ImportEffect } from './importEffects.ts';
import type { DifyLink, LinkState } from './linkTypes.ts';

/** Options of every plan and action. */
export interface SyncOptions {
	/** `vscode.l10n.t`; default: English. */
	readonly t?: Translate;
	/** Cancels the work, except requests already sent that change something: their response is awaited. */
	readonly signal?: AbortSignal;
}

/** A text saved before it was overwritten. */
export interface Backup {
	/** Opaque ID within its {@link Backups}. */
	readonly id: string;
	readonly origin: string;
	readonly appId: string;
	readonly name: string;
	/** Side that the text comes from: Dify (`there`) or the file (`here`). */
	readonly side: 'there' | 'here';
	/** Unix milliseconds. */
	readonly at: number;
	/** Path, for display. */
	readonly file: string;
}

/** Saves texts before they are overwritten. */
export interface Backups {
	/** Saves a backup. Rejects with a {@link SyncFault} if it can't: then nothing may be overwritten. */
	saveBackup(what: Pick<Backup, 'origin' | 'appId' | 'name' | 'side'> & { readonly text: string }): Promise<Backup>;
	/** Returns an app's backups, newest first. */
	listBackups(app: Pick<Backup, 'origin' | 'appId'>): Promise<readonly Backup[]>;
	/**
	 * Returns the whole text of a backup. To restore it in Dify, pass it to `planPush` as `text`; to restore it locally, write it to the file.
	 */
	readBackup(backup: Pick<Backup, 'id' | 'origin' | 'appId'>): Promise<string>;
}

/** A planned push. Nothing was changed yet. */
export interface PushPlan {
	readonly link: DifyLink;
	/** Text of the file. */
	readonly here: string;
	/** Current state of the app. */
	readonly there: ExportedApp;
	/** `changed-there` and `changed-both` are only pushed with `overwrite`. */
	readonly state: LinkState;
	/** Changes from the app to the file, which the push makes. */
	readonly difference: AppDifference;
	/** Things that the push loses, keeps, or changes for users immediately, even though nothing is published. */
	readonly effects: readonly ImportEffect[];
	/** Text to send: the file, with placeholders for secrets that Dify keeps. */
	readonly text: string;
	/** Problems of the file that Dify itself reports, if it supports that (from 1.18). */
	readonly faults: readonly { readonly nodeId?: string; readonly message: string }[];
}

/** Result of a push or of creating a new app. */
export type PushOutcome =
	/** The import worked. */
	| {
			readonly kind: 'done';
			/** New content of the sidecar file. */
			readonly link: DifyLink;
			/** New state of the app. */
			readonly there: ExportedApp;
			/** New text of the file; undefined if it stays unchanged because Dify has the same content. */
			readonly file: string | undefined;
			/** Backup of the previous app; undefined for a new app. */
			readonly backup: Backup | undefined;
			/** A warning from Dify. */
			readonly warning: string | undefined;
			/** Plugins that the workspace is missing. */
			readonly missing: readonly LeakedDependency[];
			/** True if the response was lost, and the app's state shows that the import worked. */
			readonly replyLost: boolean;
	  }
	/** Dify asks for confirmation because the format version differs; the question expires after ten minutes. Nothing was changed yet. */
	| {
			readonly kind: 'pending';
			readonly currentVersion: string | undefined;
			readonly importedVersion: string | undefined;
			readonly backup: Backup | undefined;
			/** Confirms the import. To cancel, do nothing. */
			confirm(options?: SyncOptions): Promise<PushOutcome>;
	  }
	/** Dify rejected the import. */
	| {
			readonly kind: 'failed';
			readonly message: string;
			readonly details: readonly { readonly path: string; readonly message: string }[];
			/**
			 * Says what was changed anyway, or that this is unknown; undefined if nothing was changed. Up to 1.14, the console can leave partial
			 * changes.
			 */
			readonly left: string | undefined;
			/** Backup of the previous app, if some of it was changed anyway. */
			readonly backup: Backup | undefined;
	  }
	/** The app changed since the plan: nothing was sent, and this is the new plan. */
	| { readonly kind: 'changed-meanwhile'; readonly message: string; readonly plan: PushPlan }
	/** The response was lost, and the app is unchanged. Nothing was sent again. */
	| { readonly kind: 'not-arrived'; readonly message: string; readonly backup: Backup | undefined }
	/** The response was lost, and the app (if it could be checked) matches neither the previous state nor the sent text. */
	| { readonly kind: 'unknown'; readonly message: string; readonly there: ExportedApp | undefined; readonly backup: Backup | undefined };

export interface PushRequest extends SyncOptions {
	readonly management: DifyManagement;
	readonly link: DifyLink;
	/** Text of the file, possibly with unsaved changes. */
	readonly text: string;
}

export interface PushOrder extends SyncOptions {
	readonly management: DifyManagement;
	/** Saves the app before it is overwritten. */
	readonly backups: Backups;
	/** True if changes in Dify may be overwritten because the user has seen them. Otherwise such a push is refused. */
	readonly overwrite?: boolean;
}

/**
 * Result of comparing an app with the file.
 * - `new`: the file doesn't exist yet
 * - `same`: only the sidecar may need an update: the content is the same, and Dify has no newer layout
 * - `layout`: Dify has another layout, which is newer unless `losesHere`
 * - `update`: the file is unchanged since the pull, the app in Dify is newer
 * - `keeps-here`: only the file changed: there is nothing to pull, and pulling would undo its changes
 * - `conflict`: both changed
 * - `unlinked`: the file differs and has no sidecar yet
 * - `other-app`: the sidecar names another app
 */
export type PullKind = 'new' | 'same' | 'layout' | 'update' | 'keeps-here' | 'conflict' | 'unlinked' | 'other-app';

/** A planned pull. Nothing was written yet. */
export interface PullPlan {
	readonly kind: PullKind;
	/** True if the pull overwrites local work that exists nowhere else, so that the user should be asked first. */
	readonly losesHere: boolean;
	readonly app: { readonly id: string; readonly name: string; readonly mode: DifyMode };
	/** Current state of the app. */
	readonly there: ExportedApp;
	/** Text of the file; `undefined` if it doesn't exist. */
	readonly here: string | undefined;
	/** Changes from the file to the app, which the pull makes. `undefined` if the file doesn't exist or can't be read. */
	readonly difference: AppDifference | undefined;
	/** New text of the file; `undefined` if it stays unchanged. Comments are kept where possible. */
	readonly text: string | undefined;
	/** New content of the sidecar file. */
	readonly link: DifyLink;
}

export interface PullRequest extends SyncOptions {
	readonly management: DifyManagement;
	readonly appId: string;
	/** Version to pull instead of the draft. */
	readonly versionId?: string;
	/** Text of the file, if it exists, and its sidecar, if it has one. */
	readonly here?: { readonly text: string; readonly link: DifyLink | undefined };
}

/** A planned publish. Nothing was published yet. */
export interface PublishPlan {
	readonly link: DifyLink;
	/** The draft that will be published. */
	readonly draft: ExportedApp;
	/** How the file compares to the draft, which is what gets published; `undefined` without a text. */
	readonly state: LinkState | undefined;
	/** Changes from the draft to the file. */
	readonly fileDifference: AppDifference | undefined;
	/** The published version. `unknown` if Dify doesn't report it. */
	readonly published: AppVersion | 'none' | 'unknown';
	/** Changes from the published version to the draft; `undefined` if Dify doesn't report the version. */
	readonly difference: AppDifference | undefined;
	/** Warnings to show before publishing. */
	readonly warnings: readonly string[];
}

/** Result of publishing. */
export type PublishOutcome =
	| { readonly kind: 'done'; readonly version: AppVersion | undefined; readonly warning: string | undefined; readonly replyLost: boolean }
	/** The draft changed since the plan: nothing was published. */
	| { readonly kind: 'changed-meanwhile'; readonly message: string; readonly plan: PublishPlan }
	| { readonly kind: 'failed'; readonly message: string }
	/** The response was lost. `not-arrived`: the published version is unchanged. */
	| { readonly kind: 'not-arrived' | 'unknown'; readonly message: string };
