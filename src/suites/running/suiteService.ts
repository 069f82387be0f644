import type { FileScope } from '#base/files/fileScope.ts';
import type { ServiceClient } from '#client/client.ts';
import type { AgentSummary } from '#contract/agents.ts';
import type { FileObject } from '#contract/workflows.ts';
import type { PlaceholderSource } from '#runs/request/placeholders.ts';
import type { ConnectionPace } from './connectionPace.ts';

/** A connection, as suites are run on it. The one who makes it closes its client. */
export interface SuiteService {
	/** As messages name it. */
	readonly name: string;
	readonly client: SuiteClient;
	/** One for a connection: all suites that run on it share its places and its waits. */
	readonly pace: ConnectionPace;
	/** Agents of the service; `undefined` where it does not list them. */
	readonly agents: readonly AgentSummary[] | undefined;
	/** Agents run as their files stand (`runDraft`), not as they were published. */
	readonly drafts: boolean;
	/** Whether it is a gateway that runs agents itself and takes `mocks`. */
	readonly takesMocks: boolean;
	/** User of the runs of a suite that names none. */
	readonly user: string;
	/** Model of judges that name none; the first that the service lists where it is absent. */
	readonly judgeModel?: string;
	/** What stands for placeholders in suites and run files. */
	readonly placeholders: PlaceholderSource;
	/** Uploads a local file of this scope for inputs that take files; absent if the service takes none. */
	readonly upload?: (
		reference: string,
		scope: FileScope,
		type: string | undefined,
		owner: { readonly model: string; readonly user: string },
	) => Promise<FileObject>;
}

/** What suites ask of the client. */
export type SuiteClient = Pick<
	ServiceClient,
	| 'streamWorkflow'
	| 'streamDraft'
	| 'stopRun'
	| 'streamChatMessage'
	| 'stopChatMessage'
	| 'createMessage'
	| 'createCompletion'
	| 'generateContent'
	| 'listMessagesModels'
	| 'listContentModels'
>;
