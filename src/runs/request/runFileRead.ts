import type { AgentGraph } from '#agentFile/agentGraph.ts';
import type { FileScope } from '#base/files/fileScope.ts';
import type { Translate } from '#base/text/localization.ts';
import type { JsonSchema } from '#base/text/schemaCheck.ts';
import { findProperty, type TextFault } from '#base/text/textFaults.ts';
import type { AgentSummary } from '#contract/agents.ts';
import type { FileObject, ResponseMode, WorkflowRunRequest } from '#contract/workflows.ts';
import { checkAgent, findAgent } from './agentCheck.ts';
import { getTrigger, selectTrigger } from './agentTrigger.ts';
import { checkMocks } from './mocksCheck.ts';
import { checkOptionalInputs } from './optionalInputs.ts';
import { type PlaceholderSource, Placeholders } from './placeholders.ts';
import { parseRunFile } from './runFileParse.ts';
import { RunFileValues } from './runFileValues.ts';
import type { Secrets } from './secrets.ts';

/** Context for reading a run file. */
interface RunFileContext {
	readonly schema: JsonSchema;
	/** Name of the connection, for messages. */
	readonly connection: string;
	/** Agents of the connection; absent if the service doesn't list them. Then nothing is checked against them. */
	readonly agents: readonly AgentSummary[] | undefined;
	/** The agent's graph, for checking `mocks`; absent if unknown. */
	readonly graph?: AgentGraph | undefined;
	/** See {@link checkOptionalInputs}; absent if the agent's nodes aren't known. */
	readonly getNeededInputs?: () => ReadonlyMap<string, string>;
	/** True if the request is sent to the built-in gateway. */
	readonly builtIn: boolean;
	/** The connection's user, for run files without a user. */
	readonly user: string;
	/** Overrides the file's mode. */
	readonly mode?: ResponseMode;
	readonly scope: FileScope;
	readonly placeholders: PlaceholderSource;
	/** Uploads a file for an agent's run by a user, for inputs that accept files. */
	readonly upload?: (reference: string, type: string | undefined, owner: { model: string; user: string }) => Promise<FileObject>;
	readonly t: Translate;
}

/** A run file that was read: its problems, and the request to send if none of them is an error. */
export interface ReadRunFile {
	readonly request: WorkflowRunRequest | undefined;
	readonly faults: readonly TextFault[];
	readonly secrets: Secrets;
}

/** Reads and checks a run file and the files it refers to. Returns no request if there are errors. */
export async function readRunFile(text: string, context: RunFileContext): Promise<ReadRunFile> {
	const { schema, agents, connection, scope, upload, t } = context;
	const file = parseRunFile(text, schema, t);
	const faults = [
		...file.faults,
		...(agents && file.root ? checkAgent(file, agents, connection, t) : []),
		...(agents && context.getNeededInputs ? checkOptionalInputs(file, agents, context.getNeededInputs, t) : []),
		...checkMocks(file, { connection, builtIn: context.builtIn, graph: context.graph }, t),
	];
	if (!file.root || file.agent === undefined || hasErrors(faults)) {
		return { request: undefined, faults, secrets: new Map() };
	}
	const placeholders = new Placeholders(context.placeholders, t);
	const owner = { model: file.agent, user: (findProperty(file.root, 'user')?.value as string | undefined) ?? context.user };
	const agent = agents && findAgent(agents, file.agent);
	const values = new RunFileValues({
		agent: agent && selectTrigger(agent, getTrigger(file.root)),
		connection,
		scope,
		placeholders,
		upload: upload && ((reference, type) => upload(reference, type, owner)),
		t,
	});
	const body = await values.makeBody(file.root);
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

/** True if any of the problems is an error, which prevents sending. */
export function hasErrors(faults: readonly TextFault[]): boolean {
	return faults.some(({ severity }) => severity === 'error');
}
