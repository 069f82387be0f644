import type { AgentGraph } from '#agentFile/agentGraph.ts';
import type { FileScope } from '#base/files/fileScope.ts';
import type { Translate } from '#base/text/localization.ts';
import type { JsonSchema } from '#base/text/schemaCheck.ts';
import { propertyOf, type TextFault } from '#base/text/textFaults.ts';
import type { AgentSummary } from '#contract/agents.ts';
import type { FileObject, ResponseMode, WorkflowRunRequest } from '#contract/workflows.ts';
import { agentNamed, checkAgent } from './agentCheck.ts';
import { begunWith, triggerIn } from './agentTrigger.ts';
import { checkMocks } from './mocksCheck.ts';
import { checkOptionalInputs } from './optionalInputs.ts';
import { type PlaceholderSource, Placeholders } from './placeholders.ts';
import { parseRunFile } from './runFileParse.ts';
import { RunFileValues } from './runFileValues.ts';
import type { Secrets } from './secrets.ts';

/** What reading a run file needs beside its text. */
interface RunFileContext {
	readonly schema: JsonSchema;
	/** Name of the connection, for messages. */
	readonly connection: string;
	/** Agents of the connection; absent where the service does not list them: then nothing is checked against them. */
	readonly agents: readonly AgentSummary[] | undefined;
	/** Graph of the agent, against which `mocks` are checked; absent where it is not known. */
	readonly graph?: AgentGraph | undefined;
	/** As {@link checkOptionalInputs} takes it; absent if the agent's nodes aren't known. */
	readonly neededInputs?: () => ReadonlyMap<string, string>;
	/** Whether it is sent to the built-in gateway. */
	readonly builtIn: boolean;
	/** The connection's user, for a run file that names none. */
	readonly user: string;
	/** Takes the place of the file's own mode. */
	readonly mode?: ResponseMode;
	readonly scope: FileScope;
	readonly placeholders: PlaceholderSource;
	/** Uploads a file for an agent's run by a user, for inputs that take files. */
	readonly upload?: (reference: string, type: string | undefined, owner: { model: string; user: string }) => Promise<FileObject>;
	readonly t: Translate;
}

/** A run file read: the request to send, or why there is none. Warnings can stand beside a request. */
export interface ReadRunFile {
	readonly request: WorkflowRunRequest | undefined;
	readonly faults: readonly TextFault[];
	/** Values in the request that must not be saved. */
	readonly secrets: Secrets;
}

/** Reads and checks a run file and everything that it names. A text with one fault or more gives no request. */
export async function readRunFile(text: string, context: RunFileContext): Promise<ReadRunFile> {
	const { schema, agents, connection, scope, upload, t } = context;
	const file = parseRunFile(text, schema, t);
	const faults = [
		...file.faults,
		...(agents && file.root ? checkAgent(file, agents, connection, t) : []),
		...(agents && context.neededInputs ? checkOptionalInputs(file, agents, context.neededInputs, t) : []),
		...checkMocks(file, { connection, builtIn: context.builtIn, graph: context.graph }, t),
	];
	if (!file.root || file.agent === undefined || hasErrors(faults)) {
		return { request: undefined, faults, secrets: new Map() };
	}
	const placeholders = new Placeholders(context.placeholders, t);
	const owner = { model: file.agent, user: (propertyOf(file.root, 'user')?.value as string | undefined) ?? context.user };
	const agent = agents && agentNamed(agents, file.agent);
	const values = new RunFileValues({
		agent: agent && begunWith(agent, triggerIn(file.root)),
		connection,
		scope,
		placeholders,
		upload: upload && ((reference, type) => upload(reference, type, owner)),
		t,
	});
	const body = await values.body(file.root);
	const all = [...faults, ...values.faults];
	if (hasErrors(all)) {
		return { request: undefined, faults: all, secrets: placeholders.secrets };
	}
	const mode = context.mode ?? (body['response_mode'] as ResponseMode | undefined) ?? 'streaming';
	return {
		request: { ...body, user: body['user'] ?? context.user, response_mode: mode } as WorkflowRunRequest,
		faults: all,
		secrets: placeholders.secrets,
	};
}

/** Whether a run may not be sent. */
export function hasErrors(faults: readonly TextFault[]): boolean {
	return faults.some(({ severity }) => severity === 'error');
}
