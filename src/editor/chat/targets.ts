import { Problem, reasonOf } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import type { AgentSummary } from '#contract/agents.ts';
import type { EndpointKind, Transcript } from '#pages/chat/transcript/transcript.ts';
import type { ClientOptions, Connection, Connections } from '../connections/connectionTypes.ts';
import { AgentEndpoint } from './endpoints/agentEndpoint.ts';
import { ChatCompletionsEndpoint } from './endpoints/chatCompletionsEndpoint.ts';
import { CompletionsEndpoint } from './endpoints/completionsEndpoint.ts';
import { ContentEndpoint } from './endpoints/contentEndpoint.ts';
import type { TextEndpoint } from './endpoints/endpoint.ts';
import { MessagesEndpoint } from './endpoints/messagesEndpoint.ts';
import { isCount, type ModelWindows, windowOfMessagesModel } from './panel/tokenGauge.ts';

/** A model or agent that can be picked. `detail` says more than its name. */
export interface Pickable {
	readonly name: string;
	readonly detail?: string;
}

/** Which endpoints each kind of service has (wire facts 5). */
const endpointsOf: Readonly<Record<Connection['kind'], readonly EndpointKind[]>> = {
	'built-in': ['messages', 'content', 'completions', 'agent'],
	gateway: ['messages', 'content', 'completions', 'agent'],
	dify: ['agent'],
	anthropic: ['messages', 'completions'],
	'anthropic-compatible': ['messages', 'completions'],
	gemini: ['content'],
	openai: ['chatCompletions'],
};

/** Finds what a chat talks to: its connection, endpoint and model. */
export class Targets {
	readonly #connections: Connections;
	readonly #words: Localization;

	constructor(connections: Connections, words: Localization) {
		this.#connections = connections;
		this.#words = words;
	}

	/** The chat's connection; the default one where it names none. Throws a {@link Problem} where the named one is gone. */
	connection(transcript: Pick<Transcript, 'connectionId'>): Connection {
		if (!transcript.connectionId) {
			return this.#connections.default();
		}
		const connection = this.#connections.get(transcript.connectionId);
		if (!connection) {
			throw new Problem(
				'network',
				this.#words.t('The connection of this chat, "{0}", is no longer in the settings. Pick another.', transcript.connectionId),
			);
		}
		return connection;
	}

	connectionName(transcript: Pick<Transcript, 'connectionId'>): string {
		const { connectionId } = transcript;
		return connectionId ? (this.#connections.get(connectionId)?.name ?? connectionId) : this.#connections.default().name;
	}

	/** Endpoints that this connection's service has. */
	endpoints(connection: Connection): readonly EndpointKind[] {
		return endpointsOf[connection.kind];
	}

	/** How to talk to the endpoint. For an agent, what its service lists of it decides between conversation and run. */
	async endpoint(kind: EndpointKind, connection: Connection, model: string): Promise<TextEndpoint> {
		switch (kind) {
			case 'messages':
				return new MessagesEndpoint(this.#words);
			case 'content':
				return new ContentEndpoint(this.#words);
			case 'chatCompletions':
				return new ChatCompletionsEndpoint(this.#words);
			case 'completions':
				return new CompletionsEndpoint(this.#words);
			case 'agent':
				return new AgentEndpoint(this.#words, await this.agent(connection, model));
		}
	}

	/** What the service lists of an agent, where it lists its agents. */
	async agent(connection: Connection, name: string): Promise<AgentSummary | undefined> {
		const agents = await this.#connections.agents(connection.id);
		return agents.find(agent => agent.name === name);
	}

	/** Models or agents of an endpoint. Rejects where the service does not list them: then a name is typed. */
	async models(kind: EndpointKind, connection: Connection, options?: ClientOptions): Promise<Pickable[]> {
		if (kind === 'agent') {
			const agents = await this.#connections.agents(connection.id);
			return agents
				.filter(agent => agent.error === null)
				.map(({ name, mode, description }) => ({ name, detail: description ? `${mode} · ${description}` : mode }));
		}
		const client = await this.#connections.client(connection.id, options);
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

	/** Tokens that models of an endpoint read at most, where its service tells. Rejects where it does not list them. */
	async windows(kind: EndpointKind, connection: Connection, options?: ClientOptions): Promise<ModelWindows> {
		const client = await this.#connections.client(connection.id, options);
		const told =
			kind === 'content'
				? (await client.listContentModels()).map(({ name, inputTokenLimit }) => [name.replace(/^models\//, ''), inputTokenLimit] as const)
				: (await client.listMessagesModels()).map(model => [model.id, windowOfMessagesModel(model)] as const);
		return new Map(told.filter((each): each is [string, number] => isCount(each[1])));
	}

	/** The chat's model or agent. Where none was picked: the only one that the service has, or the built-in gateway's first model; elsewhere that could cost. */
	async model(transcript: Transcript, connection: Connection): Promise<string> {
		const { endpoint, models } = transcript;
		const picked = models[endpoint] ?? (await this.obvious(endpoint, connection));
		if (!picked) {
			throw new Problem(
				'model-missing',
				endpoint === 'agent'
					? this.#words.t('No agent is picked for this chat yet.')
					: this.#words.t('No model is picked for this chat yet.'),
			);
		}
		return picked;
	}

	/** What is taken where nothing was picked: see {@link model}. Rejects where the service cannot be asked. */
	async obvious(kind: EndpointKind, connection: Connection, options?: ClientOptions): Promise<string | undefined> {
		const listed = await this.models(kind, connection, options).catch((error: unknown) => {
			if (listsNothing.has(reasonOf(error) ?? '')) {
				return [];
			}
			throw error;
		});
		const first = connection.kind === 'built-in' && kind !== 'agent';
		return first || listed.length === 1 ? listed[0]?.name : undefined;
	}
}

/** How services answer that have no list. */
const listsNothing = new Set(['not-found', 'invalid-request', 'protocol']);
