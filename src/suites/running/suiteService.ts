import type { FileScope } from '#base/files/fileScope.ts';
import type { ServiceClient } from '#client/client.ts';
import type { AgentSummary } from '#contract/agents.ts';
import type { FileObject } from '#contract/workflows.ts';
import type { FileRecording } from '#runs/recordings/fileRecording.ts';
import type { PlaceholderSource } from '#runs/request/placeholders.ts';
import type { ConnectionPace } from './connectionPace.ts';

/** A connection for running suites. Its creator closes the client. */
export interface SuiteService {
	/** Name of the connection, for messages. */
	readonly name: string;
	readonly client: SuiteClient;
	/** Shared by all suites on the connection. */
	readonly pace: ConnectionPace;
	/** Agents of the service; `undefined` if it doesn't list them. */
	readonly agents: readonly AgentSummary[] | undefined;
	/** True to run drafts (`runDraft`) instead of published agents. */
	readonly drafts: boolean;
	/** True if the service is a gateway that runs agents itself and supports `mocks`. */
	readonly takesMocks: boolean;
	/** Default user of runs. */
	readonly user: string;
	/** Default model of judges. If absent, the first model that the service lists is used. */
	readonly judgeModel?: string;
	/** Source of placeholder values in suites and run files. */
	readonly placeholders: PlaceholderSource;
	/** Uploads a local file of this scope for file inputs; absent if the service doesn't support uploads. */
	readonly upload?: (
		reference: string,
		scope: FileScope,
		type: string | undefined,
		owner: { readonly model: string; readonly user: string },
	) => Promise<FileObject>;
}

/** An open recording, as the runs of a suite use it. */
export type SuiteRecording = Pick<FileRecording, 'createUse' | 'completePlace'>;

/** Client methods that suites use. */
export type SuiteClient = Pick<
	ServiceClient,
	| 'streamWorkflow'
	| 'streamDraft'
	| 'stopRun'
	| 'streamChatMessage'
	| 'stopChatMessage'
	| 'followRun'
	| 'followChatMessage'
	| 'submitForm'
	| 'createMessage'
	| 'createCompletion'
	| 'generateContent'
	| 'listMessagesModels'
	| 'listContentModels'
>;
