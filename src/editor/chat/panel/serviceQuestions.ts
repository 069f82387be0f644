import type { LogOutputChannel } from 'vscode';
import { messageOf } from '#base/problems.ts';
import type { AgentParameters } from '#contract/agents.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import type { Targets } from '../targets.ts';
import type { Chat } from '../transcripts/chat.ts';
import type { ModelWindows } from './tokenGauge.ts';

/** Asks services what a panel shows of a chat's agent or model. A chat that is only looked at starts no gateway and asks for no key. */
export class ServiceQuestions {
	readonly #connections: Connections;
	readonly #targets: Targets;
	readonly #log: LogOutputChannel;

	constructor(connections: Connections, targets: Targets, log: LogOutputChannel) {
		this.#connections = connections;
		this.#targets = targets;
		this.#log = log;
	}

	/** Returns what the chat's agent says of itself; `undefined` while its service isn't ready. */
	async parameters({ transcript }: Chat): Promise<AgentParameters | undefined> {
		try {
			const { id } = this.#targets.connection(transcript);
			if (this.#connections.state(id).kind !== 'ready') {
				return undefined;
			}
			const client = await this.#connections.client(id, { ask: false });
			return await client.agentParameters({ model: transcript.models.agent ?? '' });
		} catch (error) {
			this.#log.debug(`Chat, what an agent begins with: ${messageOf(error)}`);
			return {};
		}
	}

	/** Returns how much the models of the chat's service can read; `undefined` while a built-in gateway isn't ready. */
	async windows({ transcript }: Chat): Promise<ModelWindows | undefined> {
		try {
			const connection = this.#targets.connection(transcript);
			return connection.kind !== 'built-in' || this.#connections.state(connection.id).kind === 'ready'
				? await this.#targets.windows(transcript.endpoint, connection, { ask: false })
				: undefined;
		} catch (error) {
			this.#log.debug(`Chat, what models can read: ${messageOf(error)}`);
			return new Map();
		}
	}
}
