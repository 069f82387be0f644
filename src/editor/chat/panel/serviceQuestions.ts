import type { LogOutputChannel } from 'vscode';
import { getErrorMessage } from '#base/problems.ts';
import type { AgentParameters } from '#contract/agents.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import type { ModelLimits } from '../modelLimits.ts';
import type { Targets } from '../targets.ts';
import type { Chat } from '../transcripts/chat.ts';

/** Fetches data about a chat's agent or model for a panel. Never starts the gateway or asks for a key. */
export class ServiceQuestions {
	readonly #connections: Connections;
	readonly #targets: Targets;
	readonly #log: LogOutputChannel;

	constructor(connections: Connections, targets: Targets, log: LogOutputChannel) {
		this.#connections = connections;
		this.#targets = targets;
		this.#log = log;
	}

	/** Returns the parameters of the chat's agent, or `undefined` while its service isn't ready. */
	async fetchParameters({ transcript }: Chat): Promise<AgentParameters | undefined> {
		try {
			const { id } = this.#targets.getConnection(transcript);
			if (this.#connections.state(id).kind !== 'ready') {
				return undefined;
			}
			const client = await this.#connections.getClient(id, { ask: false });
			return await client.getAgentParameters({ model: transcript.models.agent ?? '' });
		} catch (error) {
			this.#log.debug(`Couldn't read an agent's parameters: ${getErrorMessage(error)}`);
			return {};
		}
	}

	/** Returns the limits of the models on the chat's endpoint, or `undefined` while the built-in gateway isn't ready. */
	async fetchModelLimits({ transcript }: Chat): Promise<ModelLimits | undefined> {
		try {
			const connection = this.#targets.getConnection(transcript);
			return connection.kind !== 'built-in' || this.#connections.state(connection.id).kind === 'ready'
				? await this.#targets.fetchModelLimits(transcript.endpoint, connection, { ask: false })
				: undefined;
		} catch (error) {
			this.#log.debug(`Couldn't read the limits of models: ${getErrorMessage(error)}`);
			return new Map();
		}
	}
}
