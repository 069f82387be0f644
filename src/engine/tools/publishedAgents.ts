import { randomUUID } from 'node:crypto';
import { isOneShotMode } from '#agentFile/appModes.ts';
import type { LoadedAgent, StartVariable } from '../agentFile/agentTypes.ts';
import { checkInputs } from '../run/inputs.ts';
import { runWorkflow } from '../run/run.ts';
import type { EngineTool, ToolContext, ToolSource } from './engineTool.ts';

/** An agent that other agents use as a tool. */
export interface PublishedAgentTool {
	readonly name: string;
	readonly appId: string;
	readonly workflowId: string;
	readonly agent: LoadedAgent;
}

/** A source of published agents. */
interface PublishedAgentSource {
	/** Returns the names of all published agents. */
	listAgentNames(): Promise<readonly string[]>;
	/** Returns the published version; `undefined` if there is no agent with this name. */
	findAgent(name: string): Promise<PublishedAgentTool | undefined>;
}

/** Maximum depth of nested agent calls, as in the hosted service. Stops agents that call themselves. */
const deepest = 5;

/** Published agents of this gateway as tools. Their inputs are the start node's variables, their result is the agent's output. */
export class AgentTools implements ToolSource {
	readonly #source: PublishedAgentSource;

	constructor(source: PublishedAgentSource) {
		this.#source = source;
	}

	listProviders(): Promise<readonly string[]> {
		return this.#source.listAgentNames();
	}

	async findTool(provider: string): Promise<EngineTool | undefined> {
		const published = await this.#source.findAgent(provider);
		return published && createAgentTool(published);
	}

	async listToolNames(provider: string): Promise<readonly string[]> {
		return (await this.listProviders()).filter(name => name === provider);
	}
}

function createAgentTool(published: PublishedAgentTool): EngineTool {
	const { agent, name } = published;
	const chats = !isOneShotMode(agent.mode);
	const properties = {
		...Object.fromEntries(agent.variables.map(variable => [variable.variable, toJsonProperty(variable)])),
		...(chats && { query: { type: 'string', description: 'Task or question for the agent.' } }),
	};
	const required = [...agent.variables.filter(variable => variable.required).map(({ variable }) => variable), ...(chats ? ['query'] : [])];
	return {
		name,
		provider: name,
		description: agent.description || `The agent ${name}.`,
		parameters: { type: 'object', properties, required },
		use: (parameters, context) => runPublishedAgent(published, parameters, context),
	};
}

function toJsonProperty({ type, label, options }: StartVariable): Readonly<Record<string, unknown>> {
	const kind = { number: 'number', checkbox: 'boolean', json_object: 'object' }[type] ?? 'string';
	return { type: kind, description: label, ...(options?.length && { enum: options }) };
}

async function runPublishedAgent(
	{ agent, appId, workflowId, name }: PublishedAgentTool,
	parameters: Readonly<Record<string, unknown>>,
	{ services, run, signal, addCitations }: ToolContext,
) {
	const depth = (run.depth ?? 0) + 1;
	if (depth > deepest) {
		throw new Error(`agents call each other more than ${deepest} levels deep. The last one is '${name}'.`);
	}
	const { query, ...inputs } = parameters;
	const chats = !isOneShotMode(agent.mode);
	const runId = randomUUID();
	const { data, citations } = await runWorkflow(
		agent,
		{
			runId,
			taskId: runId,
			workflowId,
			appId,
			sequenceNumber: 0,
			inputs: checkInputs(agent, chats ? inputs : parameters, []),
			files: [],
			user: run.user,
			depth,
			...(run.recording && { recording: run.recording }),
			...(run.attack && { attack: run.attack }),
			...(run.gate && run.caller && { gate: run.gate, caller: { ...run.caller, agent: name } }),
			...(chats && { chat: { query: String(query ?? ''), conversationId: randomUUID(), dialogueCount: 1, variables: {}, history: [] } }),
			signal,
			// the inner run's events aren't forwarded: the log only shows its input and output
			emit: () => {},
		},
		services,
	);
	if (data.status !== 'succeeded' && data.status !== 'partial-succeeded') {
		throw new Error(`the agent '${name}' ${data.status}: ${data.error ?? 'no error message'}`);
	}
	addCitations(citations);
	const outputs = data.outputs ?? {};
	const [only, ...others] = Object.values(outputs);
	return { text: typeof only === 'string' && others.length === 0 ? only : JSON.stringify(outputs), json: outputs };
}
