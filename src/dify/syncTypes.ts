import type { Translate } from '#base/text/localization.ts';
import type { AppVersion, DifyManagement, DifyMode, ExportedApp, LeakedDependency } from '#client/dify/management.ts';
import type { AppDifference } from './content/differenceTypes.ts';
import type { ImportEffect } from './importEffects.ts';
import type { DifyLink, LinkState } from './linkTypes.ts';

/** What every plan and act takes besides what it is about. */
export interface SyncOptions {
	/** `vscode.l10n.t`; plain English without. */
	readonly t?: Translate;
	/** Ends what is under way, but for what was sent already to change something there: its reply is waited for. */
	readonly signal?: AbortSignal;
}

/** A text that was kept whole before it was overwritten. */
export interface Backup {
	/** Opaque; names it in its {@link Backups}. */
	readonly id: string;
	readonly origin: string;
	readonly appId: string;
	/** Name of the app, for lists. */
	readonly name: string;
	/** Whether it is what the deployment had, or what the file had. */
	readonly side: 'there' | 'here';
	/** Milliseconds since 1970. */
	readonly at: number;
	/** Where it lies, for people. */
	readonly file: string;
}

/** Keeps what is about to be overwritten. */
export interface Backups {
	/** Rejects with a {@link SyncFault} where it cannot be kept: then nothing may be overwritten. */
	keep(what: Pick<Backup, 'origin' | 'appId' | 'name' | 'side'> & { readonly text: string }): Promise<Backup>;
	/** Those of an app, the newest first. */
	list(app: Pick<Backup, 'origin' | 'appId'>): Promise<readonly Backup[]>;
	/** The whole text. Put back there by `planPush` with it as `text`, here by writing it. */
	read(backup: Pick<Backup, 'id' | 'origin' | 'appId'>): Promise<string>;
}

/** What a push would do; nothing was changed yet. */
export interface PushPlan {
	readonly link: DifyLink;
	/** What the file says. */
	readonly here: string;
	/** What the app is there now. */
	readonly there: ExportedApp;
	/** `changed-there` and `changed-both` are pushed with `overwrite` alone. */
	readonly state: LinkState;
	/** From what is there to what is here: what the push changes there. */
	readonly difference: AppDifference;
	/** What it loses, keeps, or changes for users at once, though nothing is published. */
	readonly effects: readonly ImportEffect[];
	/** What is sent: the file, but for secrets that the deployment is to keep. */
	readonly text: string;
	/** Faults of the file that the deployment names itself, where it can be asked (from 1.18). */
	readonly faults: readonly { readonly nodeId?: string; readonly message: string }[];
}

/** How a push, or making a new app, ended. */
export type PushOutcome =
	/** It is there. */
	| {
			readonly kind: 'done';
			/** To be written into the sidecar file. */
			readonly link: DifyLink;
			/** What the app is there now. */
			readonly there: ExportedApp;
			/** What the file should hold now; absent where it stays as it is, because the deployment has the same content. */
			readonly file: string | undefined;
			/** What was there before; absent of a new app. */
			readonly backup: Backup | undefined;
			/** A sentence of the deployment. */
			readonly warning: string | undefined;
			/** Plugins that the workspace lacks. */
			readonly missing: readonly LeakedDependency[];
			/** The reply was lost, and what is there shows that it arrived. */
			readonly replyLost: boolean;
	  }
	/** The deployment asks whether to take a file of another version of the format; it asks for ten minutes. Nothing was changed there yet. */
	| {
			readonly kind: 'pending';
			readonly currentVersion: string | undefined;
			readonly importedVersion: string | undefined;
			readonly backup: Backup | undefined;
			/** Takes it. Leaving it is doing nothing. */
			confirm(options?: SyncOptions): Promise<PushOutcome>;
	  }
	/** Refused. */
	| {
			readonly kind: 'failed';
			readonly message: string;
			readonly details: readonly { readonly path: string; readonly message: string }[];
			/** What it left there, in a sentence, or that nobody knows; absent where nothing was changed. The console up to 1.14 leaves what a failing import had done. */
			readonly left: string | undefined;
			/** What was there before, where some of it was changed nevertheless. */
			readonly backup: Backup | undefined;
	  }
	/** The app there became another between plan and push: nothing was sent, and this is the plan as it is now. */
	| { readonly kind: 'changed-meanwhile'; readonly message: string; readonly plan: PushPlan }
	/** The reply was lost, and what is there is as before. It was not sent again. */
	| { readonly kind: 'not-arrived'; readonly message: string; readonly backup: Backup | undefined }
	/** The reply was lost, and what is there now (where it could be asked) is neither as before nor what was sent. */
	| { readonly kind: 'unknown'; readonly message: string; readonly there: ExportedApp | undefined; readonly backup: Backup | undefined };

/** What `planPush` is asked. */
export interface PushRequest extends SyncOptions {
	readonly management: DifyManagement;
	readonly link: DifyLink;
	/** What the file says, unsaved changes too where these are meant. */
	readonly text: string;
}

/** What `carryOutPush` is asked. */
export interface PushOrder extends SyncOptions {
	readonly management: DifyManagement;
	/** Keeps what is there before it is overwritten. */
	readonly backups: Backups;
	/** Whether changes there may be overwritten: the user has seen them. Without it such a push is refused before anything is sent. */
	readonly overwrite?: boolean;
}

/**
 * How what is there stands to the file here.
 * - `new`: there is no file yet
 * - `same`: nothing to write but, maybe, the sidecar: the same content, and nothing newer in the layout there
 * - `layout`: the layout there is another, and newer unless `losesHere`
 * - `update`: the file is as it was pulled, the app there is newer
 * - `keeps-here`: changed here alone: there is nothing newer to pull, and pulling undoes what was done here
 * - `conflict`: both changed
 * - `unlinked`: the file belongs to no app yet, and differs
 * - `other-app`: its sidecar names another app
 */
export type PullKind = 'new' | 'same' | 'layout' | 'update' | 'keeps-here' | 'conflict' | 'unlinked' | 'other-app';

/** What a pull would do; nothing was written yet. */
export interface PullPlan {
	readonly kind: PullKind;
	/** Whether it overwrites something of the user's own that is nowhere else: ask before. */
	readonly losesHere: boolean;
	readonly app: { readonly id: string; readonly name: string; readonly mode: DifyMode };
	/** What the app is there now. */
	readonly there: ExportedApp;
	/** What the file says; `undefined` where there is none. */
	readonly here: string | undefined;
	/** From what is here to what is there: what the pull changes here. `undefined` where there is no file, or it cannot be read. */
	readonly difference: AppDifference | undefined;
	/** What the file should hold; `undefined` where it stays as it is. Comments of the file are kept where what they stand at is still there. */
	readonly text: string | undefined;
	/** To be written into the sidecar file. */
	readonly link: DifyLink;
}

/** What `planPull` is asked. */
export interface PullRequest extends SyncOptions {
	readonly management: DifyManagement;
	readonly appId: string;
	/** Of a version in place of the draft. */
	readonly versionId?: string;
	/** What the file says, where there is one, and its sidecar, where it has one. */
	readonly here?: { readonly text: string; readonly link: DifyLink | undefined };
}

/** What publishing would do; nothing was published yet. */
export interface PublishPlan {
	readonly link: DifyLink;
	/** The draft: what is published. */
	readonly draft: ExportedApp;
	/** How the file stands to the draft; `undefined` where no text was handed over. Publishing does not publish the file. */
	readonly state: LinkState | undefined;
	/** From the draft to the file. */
	readonly fileDifference: AppDifference | undefined;
	/** The version that is published now. `unknown` where the deployment does not say. */
	readonly published: AppVersion | 'none' | 'unknown';
	/** From what is published to the draft; `undefined` where the deployment does not say. */
	readonly difference: AppDifference | undefined;
	/** What to think about before, in sentences. */
	readonly warnings: readonly string[];
}

/** How publishing ended. */
export type PublishOutcome =
	| { readonly kind: 'done'; readonly version: AppVersion | undefined; readonly warning: string | undefined; readonly replyLost: boolean }
	/** The draft became another between plan and act: nothing was published. */
	| { readonly kind: 'changed-meanwhile'; readonly message: string; readonly plan: PublishPlan }
	| { readonly kind: 'failed'; readonly message: string }
	/** The reply was lost: `not-arrived` where the version that is published is the same as before. */
	| { readonly kind: 'not-arrived' | 'unknown'; readonly message: string };
