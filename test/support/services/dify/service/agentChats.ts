import { randomBytes, randomUUID } from 'node:crypto';
import { type Exchange, getBodyText, Refusal, Reply, Stream, type Surface } from '../exchange.ts';
import type { FakeApp, Fields } from '../state.ts';
import { getRequestInputs, getRequestUser } from './serviceSurface.ts';

/** A message of an app without a graph (`chat`, `agent-chat`), and its streamed events. */
export interface FakeMessage {
	readonly id: string;
	readonly taskId: string;
	readonly conversationId: string;
	readonly app: FakeApp;
	readonly user: string;
	readonly inputs: Fields;
	readonly query: string;
	readonly createdAt: number;
	readonly events: readonly Fields[];
	readonly files: readonly FakeFile[];
	stopped: boolean;
}

/** A file created by a tool; `name` is the name in its address. */
export interface FakeFile {
	readonly id: string;
	readonly name: string;
	readonly type: string;
}

/**
 * Sends the events that a test defined for the next messages. Each event gets the ID of its message, and a `message_file` gets an address
 * that is valid as long as its signature.
 */
export class AgentChats {
	/** Events of the next message, without IDs. A `message_file` names its file in `name`. */
	next: readonly Fields[] = [{ event: 'agent_message', answer: 'Yes.' }, { event: 'message_end' }];
	/** Awaited before each event. */
	before: (event: Fields) => Promise<unknown> | undefined = () => undefined;
	/** All messages, newest last. */
	readonly messages: FakeMessage[] = [];
	/** Signature of addresses; changing it invalidates all earlier ones. */
	signature = randomBytes(8).toString('hex');
	/** True if file addresses include the deployment's origin. */
	absolute = true;
	/** Bytes and type of the files created by tools. */
	picture: { readonly type: string; readonly data: Buffer } = { type: 'image/png', data: Buffer.from('') };

	getFileAddress(exchange: Exchange, file: FakeFile): string {
		const address = `/files/tools/${encodeURIComponent(file.name)}?sign=${this.signature}`;
		return this.absolute ? exchange.fake.origin + address : address;
	}

	/** Runs a chat turn of an app without a graph. */
	runTurn(exchange: Exchange, app: FakeApp): Stream {
		const { fake, body } = exchange;
		const query = getBodyText(body, 'query');
		if (!query) {
			throw new Refusal(400, 'invalid_param', 'query: Field required');
		}
		if (getBodyText(body, 'response_mode') !== 'streaming') {
			throw new Refusal(400, 'bad_request', 'Agent App only supports streaming response mode.');
		}
		const toFakeFile = (event: Fields): FakeFile => ({
			id: randomUUID(),
			name: String(event['name']),
			type: String(event['type'] ?? 'image'),
		});
		const played = this.next.map(event => ({ event, file: event['event'] === 'message_file' ? toFakeFile(event) : undefined }));
		const message: FakeMessage = {
			id: randomUUID(),
			taskId: randomUUID(),
			conversationId: getBodyText(body, 'conversation_id') || randomUUID(),
			app,
			user: getRequestUser(exchange),
			inputs: getRequestInputs(exchange),
			query,
			createdAt: Math.floor(fake.getTime()),
			events: this.next,
			files: played.flatMap(({ file }) => file ?? []),
			stopped: false,
		};
		this.messages.push(message);
		return new Stream(this.#streamMessage(exchange, message, played));
	}

	async *#streamMessage(
		exchange: Exchange,
		message: FakeMessage,
		played: readonly { event: Fields; file: FakeFile | undefined }[],
	): AsyncGenerator<Fields> {
		const ids = {
			task_id: message.taskId,
			message_id: message.id,
			conversation_id: message.conversationId,
			created_at: message.createdAt,
		};
		for (const { event, file } of played) {
			await this.before(event);
			if (message.stopped && event['event'] !== 'message_end') {
				continue;
			}
			const { name: _, ...fields } = event;
			yield file
				? { ...ids, id: file.id, type: file.type, belongs_to: 'assistant', url: this.getFileAddress(exchange, file), ...fields }
				: { ...ids, ...fields };
		}
	}

	/** Returns a message in the form of `GET /messages`. */
	toMessageRow(exchange: Exchange, message: FakeMessage): Fields {
		const { fake } = exchange;
		const rating = fake.chats.feedbacks.find(each => each['message_id'] === message.id)?.['rating'];
		const pieces = message.events.filter(({ event }) => event === 'agent_message');
		const end = message.events.find(({ event }) => event === 'message_end') as { metadata?: Fields } | undefined;
		return {
			id: message.id,
			conversation_id: message.conversationId,
			parent_message_id: null,
			inputs: message.inputs,
			query: message.query,
			answer: pieces.map(({ answer }) => String(answer)).join(''),
			message_files: message.files.map(file => ({
				id: file.id,
				belongs_to: 'assistant',
				upload_file_id: file.id,
				filename: file.name,
				type: file.type,
				transfer_method: 'tool_file',
				url: this.getFileAddress(exchange, file),
			})),
			feedback: rating ? { rating } : null,
			retriever_resources: end?.metadata?.['retriever_resources'] ?? [],
			agent_thoughts: message.events.filter(({ event }) => event === 'agent_thought'),
			created_at: message.createdAt,
			status: 'normal',
			error: null,
		};
	}
}

/** `/files`: files created by tools, for any caller with a valid address. */
export const filesSurface: Surface = {
	prefix: '/files',
	getRoutes: () => [
		{
			method: 'GET',
			path: '/tools/{name}',
			handle: ({ fake, query }) => {
				if (query.get('sign') !== fake.chats.agents.signature) {
					throw new Refusal(403, 'forbidden', 'Invalid request.');
				}
				const { type, data } = fake.chats.agents.picture;
				return new Reply(200, data, type);
			},
		},
	],
	authorizeRequest: () => {},
	formatRefusal: ({ code, message, status }) => ({ code, message, status }),
};
