import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { ResponseInputItem, ResponseObject, ResponseOutputItem, ResponsesRequest } from '#contract/openai/responses.ts';
import type { Log } from '../process/log.ts';
import { defaultBodyLimit } from '../server/route.ts';
import type { ChainedRow, ResponseStore } from '../store/responseStore.ts';
import { StoreFault } from '../store/storeFault.ts';

/** A request's input with all references resolved. */
interface WholeInput {
	/** All items for the model: earlier inputs and outputs, followed by those of the request itself. */
	readonly items: readonly ResponseInputItem[];
	/** Items added by the request itself. */
	readonly own: readonly ResponseInputItem[];
	/** The agent that gave the previous response: its model, conversation and user. */
	readonly agent?: {
		readonly model: string;
		readonly conversation: string;
		readonly user: string | null;
		/** True if the conversation has turns of another branch, or lacks those of another model or of a request's input. */
		readonly isForked: boolean;
	};
}

/** Stores responses of /v1/responses, and resolves the responses that requests continue. */
export class ResponseHistory {
	readonly #store: ResponseStore;
	readonly #log: Log;

	constructor(store: ResponseStore, log: Log) {
		this.#store = store;
		this.#log = log;
	}

	/**
	 * Returns the whole input of a request, without the instructions of earlier requests. Throws an error (400) for an unknown response
	 * (`previous_response_not_found`, after which clients send everything again), and for a reference to an unknown item.
	 */
	resolveInput({ input, previous_response_id: previous }: ResponsesRequest): WholeInput {
		const chain = previous === undefined ? [] : this.#getResponseChain(previous);
		const given: readonly ResponseInputItem[] =
			typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : (input ?? []);
		const own = this.#resolveReferences(given);
		const items = [...chain.flatMap(row => [...parseItems(row.input), ...parseItems(row.output)]), ...own];
		if (items.length === 0) {
			throw new ServiceFault(400, "Missing required parameter: 'input'.", { params: 'input' });
		}
		const last = chain.at(-1);
		if (!last || last.conversation === null) {
			return { items, own };
		}
		const { model, user } = this.get(last.id, false);
		const { conversation } = last;
		const lacksSome = chain.some(
			row => row.conversation !== conversation || parseItems(row.input).some(item => 'role' in item && item.role === 'assistant'),
		);
		const isForked = lacksSome || this.#store.countResponses(chain[0]!.id, conversation) > chain.length;
		return { items, own, agent: { model, conversation, user, isForked } };
	}

	/**
	 * Stores a response if the request asks for it, with the input added since the previous one. Marks it as not stored if the store fails.
	 */
	add(response: ResponseObject, own: readonly ResponseInputItem[], conversation?: string): void {
		if (!response.store) {
			return;
		}
		const { output, ...head } = response;
		try {
			this.#store.add(
				{
					id: response.id,
					previous: response.previous_response_id,
					conversation: conversation ?? null,
					created_at: Date.now(),
					head: JSON.stringify(head),
					input: JSON.stringify(own),
					output: JSON.stringify(output),
				},
				output.map(({ id }) => id),
			);
		} catch (error) {
			if (!(error instanceof StoreFault)) {
				throw error;
			}
			// send the response anyway, because it was paid for; clients that want to continue it send everything again
			response.store = false;
			this.#log.warn("Couldn't store a response", { response: response.id, reason: error.reason });
		}
	}

	/** Returns a stored response. Throws an error (404) if there is none. */
	get(id: string, showsEncrypted: boolean): ResponseObject {
		const row = this.#store.get(id);
		if (!row) {
			throw createNotFoundError(id);
		}
		const output = JSON.parse(row.output) as ResponseOutputItem[];
		if (!showsEncrypted) {
			for (const item of output) {
				if (item.type === 'reasoning') {
					delete item.encrypted_content;
				}
			}
		}
		return { ...(JSON.parse(row.head) as ResponseObject), output };
	}

	has(id: string): boolean {
		return this.#store.get(id) !== undefined;
	}

	/** Deletes a response, so that it can't be continued anymore. Throws an error (404) if there is none. */
	delete(id: string): void {
		if (!this.#store.delete(id)) {
			throw createNotFoundError(id);
		}
	}

	#getResponseChain(id: string): readonly ChainedRow[] {
		const chain = this.#store.getResponseChain(id, defaultBodyLimit);
		if ('missing' in chain) {
			const through = chain.missing === id ? '' : `, which '${id}' continues,`;
			throw new ServiceFault(400, `Previous response with id '${chain.missing.slice(0, 200)}'${through} not found.`, {
				params: 'previous_response_id',
				code: 'previous_response_not_found',
			});
		}
		if ('tooLong' in chain) {
			throw createTooLongError(
				'previous_response_id',
				`The conversation before this request is too long. The limit is ${defaultBodyLimit} bytes.`,
			);
		}
		return chain;
	}

	/** Replaces references by their items. Throws an error (400) if the items are too long: a short request can refer to one item often. */
	#resolveReferences(given: readonly ResponseInputItem[]): readonly ResponseInputItem[] {
		const known = new Map<string, ResponseInputItem>();
		const lengths = new Map<ResponseInputItem, number>();
		let length = 0;
		return given.map((reference, i) => {
			if (reference.type !== 'item_reference') {
				return reference;
			}
			const item = this.#getItem(reference.id ?? '', `input[${i}]`, known);
			const own = lengths.get(item) ?? JSON.stringify(item).length;
			lengths.set(item, own);
			length += own;
			if (length > defaultBodyLimit) {
				throw createTooLongError('input', `The items that the input refers to are too long. The limit is ${defaultBodyLimit} bytes.`);
			}
			return item;
		});
	}

	/** @param known items that were found before by ID; all items of the response that has the item are added */
	#getItem(id: string, at: string, known: Map<string, ResponseInputItem>): ResponseInputItem {
		if (!known.has(id)) {
			for (const item of parseItems(this.#store.findResponseByItem(id)?.output ?? '[]')) {
				known.set(item.id ?? '', item);
			}
		}
		const item = known.get(id);
		if (!item) {
			throw new ServiceFault(400, `Item with id '${id.slice(0, 200)}' not found.`, { params: at });
		}
		return item;
	}
}

function parseItems(json: string): ResponseInputItem[] {
	return JSON.parse(json) as ResponseInputItem[];
}

function createTooLongError(params: string, message: string): ServiceFault {
	return new ServiceFault(400, message, { params, code: 'context_length_exceeded' });
}

function createNotFoundError(id: string): ServiceFault {
	return new ServiceFault(404, `Response with id '${id.slice(0, 200)}' not found.`, { code: null });
}
