import { loadAgent } from '#engine/agentFile/agentFile.ts';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import type { EngineServices, ModelPart, ModelRequest, RunOptions } from '#engine/run/engineTypes.ts';
import { checkInputs } from '#engine/run/inputs.ts';
import { createTestServices, runTestAgent, type TestRun } from '../run/engineFixture.ts';

/** Creates the text of an app without a graph, as JSON, which is valid YAML. */
export function createAppText(config: object, mode = 'chat'): string {
	return JSON.stringify({
		version: '0.6.0',
		kind: 'app',
		app: { name: 'test', mode },
		model_config: { model: { provider: 'p', name: 'm', mode: 'chat' }, ...config },
	});
}

export function createTestApp(config: object, mode = 'chat'): LoadedAgent {
	return loadAgent(createAppText(config, mode), 'app.yml');
}

export const completionModel = { model: { provider: 'p', name: 'm', mode: 'completion' } };

const finish: ModelPart = { type: 'finish', finishReason: 'stop', usage: { promptTokens: 2, completionTokens: 3 } };

export interface Turn {
	readonly query?: string;
	readonly inputs?: Readonly<Record<string, unknown>>;
	/** Earlier messages: question, answer, question, … */
	readonly said?: readonly string[];
	/** Chunks of the model's reply. */
	readonly reply?: readonly string[];
	readonly services?: Partial<EngineServices>;
	readonly options?: Partial<RunOptions>;
	readonly context?: number;
}

/** Runs one turn of an app, and records the model's requests. */
export async function runTurn(agent: LoadedAgent, given: Turn = {}): Promise<TestRun & { readonly asked: readonly ModelRequest[] }> {
	const { query, inputs = {}, said = [], reply = ['Yes.'], services = {}, options = {}, context } = given;
	const asked: ModelRequest[] = [];
	const own = createTestServices(async function* (request) {
		asked.push(request);
		for (const text of reply) {
			yield { type: 'text', text };
		}
		yield finish;
	});
	const models = { ...own.models, ...(context !== undefined && { getContextTokens: () => context }) };
	const chat = query !== undefined && {
		query,
		conversationId: 'c',
		dialogueCount: 1,
		variables: {},
		history: said.map((text, at) => ({ role: at % 2 === 0 ? ('user' as const) : ('assistant' as const), text })),
	};
	const done = await runTestAgent(
		agent,
		{ inputs: checkInputs(agent, inputs), ...(chat && { chat }), ...options },
		{ ...own, models, ...services },
	);
	return { ...done, asked };
}

/** Returns the messages sent to the model as `role: text`. */
export function listSentTexts({ asked }: { readonly asked: readonly ModelRequest[] }): readonly string[] {
	return (asked[0]?.messages ?? []).map(
		({ role, content }) => `${role}: ${typeof content === 'string' ? content : JSON.stringify(content)}`,
	);
}
