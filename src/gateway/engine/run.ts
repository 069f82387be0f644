import type { RunData } from '../../protocol/workflows.ts';
import type { LoadedAgent } from './agentTypes.ts';
import type { EngineServices, RunOptions, RunOutcome } from './engineTypes.ts';
import { GraphRun } from './graphRun.ts';
import { NodeError } from './nodes/nodeType.ts';
import { RunEvents, seconds } from './runEvents.ts';
import { runFiles } from './runFiles.ts';
import type { Execute, RunState } from './runState.ts';
import { VariablePool } from './variables.ts';

/** Nodes and seconds of one run, as in the hosted service (workflow DSL, "Limits"). */
const defaultMaxSteps = 500;
const defaultMaxSeconds = 1200;

/**
 * Runs an agent once, as the hosted service would. Never rejects for a failure of the agent: the outcome says how the run ended.
 * A run that is over its limits ends with status `stopped`, like one that was stopped.
 */
export function runWorkflow(agent: LoadedAgent, options: RunOptions, services: EngineServices): Promise<RunOutcome> {
	return runAgent(agent, options, services, runNode);
}

/** Runs a node as its type says. @throws {NodeError} if there is no such type here */
export const runNode: Execute = context => {
	const { nodeType, type } = context.node;
	if (!nodeType) {
		throw new NodeError(`Nodes of type "${type}" are not available here; give the agent a Dify route to run it there`, 'NodeTypeError');
	}
	return nodeType.run(context);
};

/** {@link runWorkflow} with another way to run nodes; for tests that replay recorded results. */
export async function runAgent(agent: LoadedAgent, options: RunOptions, services: EngineServices, execute: Execute): Promise<RunOutcome> {
	const started = performance.now();
	const createdAt = Math.floor(Date.now() / 1000);
	const state: RunState = {
		agent,
		options,
		services,
		execute,
		events: new RunEvents(options),
		outputs: {},
		steps: 0,
		maxSteps: services.settings.maxSteps ?? defaultMaxSteps,
		exceptions: 0,
		tokens: 0,
	};
	const variables = rootVariables(agent, options, services, createdAt);
	state.events.workflowStarted({ ...options.inputs, ...prefixed(variables.all('sys')) }, createdAt);

	const limit = new AbortController();
	const maxSeconds = services.settings.maxSeconds ?? defaultMaxSeconds;
	const timer = setTimeout(() => limit.abort(new Error(`Maximum execution time exceeded: ${maxSeconds} seconds`)), maxSeconds * 1000);
	const graphRun = new GraphRun(agent.graph, state, variables, AbortSignal.any([options.signal, limit.signal]));
	const end = await graphRun.run().finally(() => clearTimeout(timer));

	const status = end.status === 'succeeded' && state.exceptions > 0 ? 'partial-succeeded' : end.status;
	const data: RunData = {
		id: options.runId,
		workflow_id: options.workflowId,
		status,
		outputs: end.status === 'succeeded' ? state.outputs : {},
		error: end.error?.message ?? null,
		elapsed_time: seconds(started),
		total_tokens: state.tokens,
		total_steps: state.steps,
		created_by: { id: options.user, user: options.user },
		created_at: createdAt,
		finished_at: Math.floor(Date.now() / 1000),
		exceptions_count: state.exceptions,
		files: [],
	};
	state.events.workflowFinished(data);
	return { data, variables: variables.all('conversation'), skippedNodes: graphRun.skippedNodes() };
}

function rootVariables(agent: LoadedAgent, options: RunOptions, services: EngineServices, createdAt: number): VariablePool {
	const variables = new VariablePool();
	const { chat } = options;
	variables.setAll('env', agent.environment);
	variables.setAll('conversation', { ...agent.conversation, ...(chat && known(agent.conversation, chat.variables)) });
	variables.setAll('sys', {
		files: runFiles(options.files, services),
		user_id: options.user,
		app_id: options.appId,
		workflow_id: options.workflowId,
		workflow_run_id: options.runId,
		timestamp: createdAt,
		...(chat && { query: chat.query, conversation_id: chat.conversationId, dialogue_count: chat.dialogueCount }),
	});
	return variables;
}

/** Values kept from earlier turns, of those variables that the agent still has. */
function known(declared: Readonly<Record<string, unknown>>, kept: Readonly<Record<string, unknown>>): Record<string, unknown> {
	return Object.fromEntries(Object.entries(kept).filter(([name]) => Object.hasOwn(declared, name)));
}

function prefixed(system: Readonly<Record<string, unknown>>): Record<string, unknown> {
	return Object.fromEntries(Object.entries(system).map(([name, value]) => [`sys.${name}`, value]));
}
