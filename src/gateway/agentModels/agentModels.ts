import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { isOneShotMode } from '#agentFile/appModes.ts';
import { createWildcardMatcher } from '#base/text/wildcard.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { AgentRegistry, RunnableAgent } from '../agents/agentRegistry.ts';
import { ChatTurn } from '../chat/chatTurn.ts';
import type { RunService } from '../runs/runService.ts';
import type { Store } from '../store/store.ts';
import { toRunFiles } from './agentFilesOf.ts';
import { isAgentModel, toAgentName, toModelName } from './agentNames.ts';
import { toAgentQuestion } from './agentQuestion.ts';
import { AgentReply } from './agentReply.ts';
import { createChatRun } from './chatWork.ts';
import { toWorkflowInputs } from './workflowInputs.ts';
import { createWorkflowRun } from './workflowWork.ts';

/** Additional fields of a request that only apply to agents. */
interface AgentExtras {
	/** Values of the agent's variables. */
	readonly inputs?: Readonly<Record<string, unknown>> | undefined;
	/** A conversation to continue; earlier messages in the prompt are ignored then, unless they replace those of the conversation. */
	readonly conversationId?: string | undefined;
	readonly replacesHistory?: boolean;
	readonly user?: string | undefined;
}

/** User if the caller doesn't give one. */
const usualUser = 'openai';

interface AgentModelParts {
	readonly agents: AgentRegistry;
	readonly runs: RunService;
	readonly store: Store;
}

/**
 * Offers agents of this gateway as models `agent/NAME`, for clients that only know models. Only agents listed in a setting are offered,
 * because each request is a run.
 */
export class AgentModels {
	readonly #parts: AgentModelParts;
	readonly #matches: readonly ((name: string) => boolean)[];

	/** @param patterns names of the offered agents; `*` matches any characters */
	constructor(parts: AgentModelParts, patterns: readonly string[]) {
		this.#parts = parts;
		this.#matches = patterns.map(createWildcardMatcher);
	}

	/** Returns the names of the models that can be run. */
	async listNames(): Promise<readonly string[]> {
		if (this.#matches.length === 0) {
			return [];
		}
		const names = await this.#parts.agents.listCallableAgents();
		return names
			.filter(name => this.#isOffered(name))
			.map(toModelName)
			.sort();
	}

	/** True if the model is an agent that the setting offers, even if the agent doesn't exist. */
	isOffering(model: string): boolean {
		return isAgentModel(model) && this.#isOffered(toAgentName(model));
	}

	/**
	 * Validates a request to a model's agent. The run only starts when the reply is read. Throws an error: 400 for invalid inputs, 404 for an
	 * unknown agent or conversation, 429 if too many runs are queued.
	 */
	async prepareReply(model: string, prompt: LanguageModelV4Prompt, extras: AgentExtras, signal: AbortSignal): Promise<AgentReply> {
		const { agents } = this.#parts;
		const name = toAgentName(model);
		const target = await agents.getPublishedVersion(name).catch((error: unknown) => {
			throw error instanceof ServiceFault && error.status === 404 ? createUnknownAgentError(name) : toOpenAiError(error);
		});
		try {
			return await this.#prepareRun(model, target, prompt, extras, signal);
		} catch (error) {
			throw toOpenAiError(error, target);
		}
	}

	async #prepareRun(
		model: string,
		target: RunnableAgent,
		prompt: LanguageModelV4Prompt,
		{ inputs, conversationId, replacesHistory, user = usualUser }: AgentExtras,
		signal: AbortSignal,
	): Promise<AgentReply> {
		const { runs, store } = this.#parts;
		const { query, files: parts, history } = toAgentQuestion(prompt);
		const isWorkflow = isOneShotMode(target.agent.mode);
		if (!isWorkflow && query === '') {
			throw new ServiceFault(400, "Invalid 'messages': expected a user message with text.", { params: 'messages' });
		}
		const given = isWorkflow ? toWorkflowInputs(target.agent.variables, inputs, query) : (inputs ?? {});
		const files = await toRunFiles(parts, user, store.uploads);
		if (isWorkflow) {
			const prepared = await runs.prepareRun({ target, inputs: given, files, user, mode: 'streaming' });
			return new AgentReply(model, createWorkflowRun(prepared, runs, target.agent), signal, undefined);
		}
		const turn = { model, query, inputs: given, response_mode: 'streaming' as const, user, files: [...files] };
		const continued = conversationId === undefined ? turn : { ...turn, conversation_id: conversationId };
		const more = conversationId && !replacesHistory ? {} : { history };
		const prepared = await ChatTurn.prepareTurn(store.conversations, runs, target, continued, more);
		return new AgentReply(model, createChatRun(prepared, runs), signal, prepared.conversationId);
	}

	#isOffered(name: string): boolean {
		return this.#matches.some(matches => matches(name));
	}
}

function createUnknownAgentError(name: string): ServiceFault {
	return new ServiceFault(404, `The agent '${name.slice(0, 100)}' doesn't exist. Expected the name of a file in an agent folder.`, {
		params: 'model',
	});
}

/** Removes Dify's code from an error. If the error names a variable of the agent, adds the variable's path in the request. */
function toOpenAiError(error: unknown, target?: RunnableAgent): unknown {
	if (!(error instanceof ServiceFault)) {
		return error;
	}
	const { params, headers, reason } = error.details;
	const isVariable = target?.agent.variables.some(({ variable }) => variable === params);
	return new ServiceFault(error.status, error.message, {
		...(params !== undefined && { params: isVariable ? `inputs.${params}` : params }),
		...(headers && { headers }),
		...(reason && { reason }),
		...(error.status === 404 && { code: null }),
	});
}
