import { getErrorReason, Problem } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import type { AgentSummary } from '#contract/agents.ts';
import { findModelPrice, type PriceRule } from '#contract/text/modelPrices.ts';
import type { TokenPrice } from '#contract/text/tokenPrice.ts';
import type { EndpointKind, Transcript } from '#pages/chat/transcript/transcript.ts';
import type { ClientOptions, Connection, Connections } from '../connections/connectionTypes.ts';
import { getModeLabel } from '../platform/difyModeText.ts';
import { joinParts } from '../platform/runWording.ts';
import { AgentEndpoint } from './endpoints/agentEndpoint.ts';
import { ChatCompletionsEndpoint } from './endpoints/chatCompletionsEndpoint.ts';
import { CompletionsEndpoint } from './endpoints/completionsEndpoint.ts';
import { ContentEndpoint } from './endpoints/contentEndpoint.ts';
import type { TextEndpoint } from './endpoints/endpoint.ts';
import { MessagesEndpoint } from './endpoints/messagesEndpoint.ts';
import { type ModelLimits, readContentLimits, readMessagesLimits } from './modelLimits.ts';

/** A model or agent that can be picked. `detail` describes it. */
export interface Pickable {
	readonly name: string;
	readonly detail?: string;
}

/** Lifetime of cached limits of models, and the longest wait for a list of models, in milliseconds. */
const freshMs = 10 * 60_000;
const listMs = 5000;

/** Text endpoints by kind of service (wire facts 5). */
const endpointsOf: Readonly<Record<Connection['kind'], readonly EndpointKind[]>> = {
	'built-in': ['messages', 'content', 'completions', 'agent'],
	gateway: ['messages', 'content', 'completions', 'agent'],
	dify: ['agent'],
	anthropic: ['messages', 'completions'],
	'anthropic-compatible': ['messages', 'completions'],
	gemini: ['content'],
	openai: ['chatCompletions'],
};

/** Finds the connection, endpoint and model of a chat. */
export class Targets {
	readonly #connections: Connections;
	readonly #words: Localization;
	readonly #readPrices: () => readonly PriceRule[];
	/** Limits of models by connection and protocol. */
	readonly #limits = new Map<string, { readonly limits: Promise<ModelLimits>; readonly at: number }>();

	/** `readPrices` reads the user's prices of models. */
	constructor(connections: Connections, words: Localization, readPrices: () => readonly PriceRule[] = () => []) {
		this.#readPrices = readPrices;
		this.#connections = connections;
		this.#words = words;
	}

	/** Returns the chat's connection, or the default one if the chat has none. Throws a {@link Problem} if the connection was removed. */
	getConnection(transcript: Pick<Transcript, 'connectionId'>): Connection {
		if (!transcript.connectionId) {
			return this.#connections.getDefault();
		}
		const connection = this.#connections.get(transcript.connectionId);
		if (!connection) {
			throw new Problem(
				'network',
				this.#words.t("Connection '{0}' of this chat no longer exists. Select another one.", transcript.connectionId),
			);
		}
		return connection;
	}

	getConnectionName(transcript: Pick<Transcript, 'connectionId'>): string {
		const { connectionId } = transcript;
		return connectionId ? (this.#connections.get(connectionId)?.name ?? connectionId) : this.#connections.getDefault().name;
	}

	listEndpoints(connection: Connection): readonly EndpointKind[] {
		return endpointsOf[connection.kind];
	}

	/** Creates the endpoint that sends the chat's messages. */
	async createEndpoint(kind: EndpointKind, connection: Connection, model: string): Promise<TextEndpoint> {
		switch (kind) {
			case 'messages':
				return new MessagesEndpoint(this.#words, {
					readsPdfs: connection.kind === 'anthropic',
					setsLimit: connection.kind === 'built-in' || connection.kind === 'gateway',
				});
			case 'content':
				return new ContentEndpoint(this.#words, connection.kind === 'gemini');
			case 'chatCompletions':
				return new ChatCompletionsEndpoint(this.#words);
			case 'completions':
				return new CompletionsEndpoint(this.#words);
			case 'agent':
				return new AgentEndpoint(this.#words, await this.findAgent(connection, model));
		}
	}

	/** Returns an agent from its service's list, or undefined if it isn't listed. */
	async findAgent(connection: Connection, name: string): Promise<AgentSummary | undefined> {
		const agents = await this.#connections.listAgents(connection.id);
		return agents.find(agent => agent.name === name);
	}

	/** Lists the models or agents of an endpoint. Rejects if the service has no list, so that the user must type a name. */
	async listModels(kind: EndpointKind, connection: Connection, options?: ClientOptions): Promise<Pickable[]> {
		if (kind === 'agent') {
			const agents = await this.#connections.listAgents(connection.id);
			return agents
				.filter(agent => agent.error === null)
				.map(({ name, mode, description }) => ({ name, detail: joinParts(getModeLabel(mode), description) }));
		}
		const client = await this.#connections.getClient(connection.id, options);
		if (kind === 'content') {
			const models = await client.listContentModels();
			return models
				.filter(model => model.supportedGenerationMethods?.includes('generateContent') ?? true)
				.map(model => ({ name: model.name.replace(/^models\//, ''), ...(model.displayName && { detail: model.displayName }) }));
		}
		const models = await client.listMessagesModels();
		return models.map(model => ({
			name: model.id,
			...(model.display_name && model.display_name !== model.id && { detail: model.display_name }),
		}));
	}

	/** Returns the token limits of an endpoint's models that the service reports. Rejects if the service has no list. */
	async fetchModelLimits(kind: EndpointKind, { id, baseUrl }: Connection, options?: ClientOptions): Promise<ModelLimits> {
		const list = JSON.stringify([id, baseUrl, kind === 'content']);
		const known = this.#limits.get(list);
		if (known && performance.now() - known.at < freshMs) {
			return known.limits;
		}
		const limits = this.#requestModelLimits(kind, id, options);
		this.#limits.set(list, { limits, at: performance.now() });
		limits.catch(() => this.#limits.delete(list));
		return limits;
	}

	async #requestModelLimits(kind: EndpointKind, connectionId: string, options?: ClientOptions): Promise<ModelLimits> {
		const client = await this.#connections.getClient(connectionId, options);
		const call = { signal: AbortSignal.timeout(listMs) };
		return kind === 'content'
			? readContentLimits(await client.listContentModels(call))
			: readMessagesLimits(await client.listMessagesModels(call));
	}

	/** Returns the price of a model, if it's known. Gateways and agents send their own prices. */
	findPrice(kind: EndpointKind, { baseUrl }: Connection, model: string): TokenPrice | undefined {
		return kind === 'agent' || baseUrl === undefined ? undefined : findModelPrice(this.#readPrices(), new URL(baseUrl).origin, model);
	}

	/** Returns the maximum number of tokens of a reply that a request should name. Undefined if it's unknown or not needed. */
	async findOutputLimit(kind: EndpointKind, connection: Connection, model: string): Promise<number | undefined> {
		if (kind !== 'messages' && kind !== 'completions') {
			return undefined;
		}
		const limits = await this.fetchModelLimits(kind, connection).catch(() => undefined);
		return limits?.get(model)?.output;
	}

	/**
	 * Returns the chat's model or agent. If the user picked none, returns the service's only one, or the first model of the built-in gateway.
	 * Doesn't guess on other services, because a wrong guess could cost money.
	 */
	async resolveModel(transcript: Transcript, connection: Connection): Promise<string> {
		const { endpoint, models } = transcript;
		const picked = models[endpoint] ?? (await this.findOnlyModel(endpoint, connection));
		if (!picked) {
			throw new Problem(
				'model-missing',
				endpoint === 'agent' ? this.#words.t('Select an agent for this chat first.') : this.#words.t('Select a model for this chat first.'),
			);
		}
		return picked;
	}

	/** Returns the model to use if the user picked none (see {@link resolveModel}). Rejects if the service can't be reached. */
	async findOnlyModel(kind: EndpointKind, connection: Connection, options?: ClientOptions): Promise<string | undefined> {
		const listed = await this.listModels(kind, connection, options).catch((error: unknown) => {
			if (listsNothing.has(getErrorReason(error) ?? '')) {
				return [];
			}
			throw error;
		});
		const first = connection.kind === 'built-in' && kind !== 'agent';
		return first || listed.length === 1 ? listed[0]?.name : undefined;
	}
}

/** Error reasons that mean that the service has no list of models. */
const listsNothing = new Set(['not-found', 'invalid-request', 'protocol']);
