import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { ResponseInputItem, ResponseObject, ResponseOutputItem, ResponsesRequest } from '#contract/openai/responses.ts';
import type { Log } from '../process/log.ts';
import { defaultBodyLimit } from '../server/route.ts';
import type { ChainedRow, ResponseStore } from '../store/responseStore.ts';
import { StoreFault } from '../store/storeFault.ts';

/** The input of a request, with nothing left to look up. */
interface WholeInput {
	/** All that the model is to read: earlier inputs and outputs, then the request's own. */
	readonly items: readonly ResponseInputItem[];
	/** What the request itself adds. */
	readonly own: readonly ResponseInputItem[];
	/** The agent that answered before: its model, the conversation it answered in, and for whom. */
	readonly agent?: { readonly model: string; readonly conversation: string; readonly user: string | null };
}

/** What requests of /v1/responses go on from, and what they leave behind. */
export class ResponseHistory {
	readonly #store: ResponseStore;
	readonly #log: Log;

	constructor(store: ResponseStore, log: Log) {
		this.#store = store;
		this.#log = log;
	}

	/**
	 * The whole input of a request. Instructions of earlier requests do not count. Throws a fault (400): `previous_response_not_found` for a reply that is
	 * not kept, on which clients send everything again, or for an item that is referred to and not kept.
	 */
	inputOf({ input, previous_response_id: previous }: ResponsesRequest): WholeInput {
		const chain = previous === undefined ? [] : this.#chain(previous);
		const given: readonly ResponseInputItem[] =
			typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : (input ?? []);
		const own = given.map((item, i) => (item.type === 'item_reference' ? this.#item(item.id ?? '', `input[${i}]`) : item));
		const items = [...chain.flatMap(row => [...itemsOf(row.input), ...itemsOf(row.output)]), ...own];
		if (items.length === 0) {
			throw new ServiceFault(400, "Missing required parameter: 'input'.", { params: 'input' });
		}
		const last = chain.at(-1);
		if (!last || last.conversation === null) {
			return { items, own };
		}
		const { model, user } = this.get(last.id, false);
		return { items, own, agent: { model, conversation: last.conversation, user } };
	}

	/** Keeps a reply that is to be kept, with the input that it had beyond the reply before it. A reply that cannot be kept says so. */
	keep(response: ResponseObject, own: readonly ResponseInputItem[], conversation?: string): void {
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
			// the reply was paid for: it goes out, and a client that wants to go on from it sends all of it again
			response.store = false;
			this.#log.warn('a response was not kept', { response: response.id, reason: error.reason });
		}
	}

	/** A reply that was kept. Throws a fault (404) where there is none. */
	get(id: string, showsEncrypted: boolean): ResponseObject {
		const row = this.#store.get(id);
		if (!row) {
			throw notFound(id);
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

	/** Deletes a reply: nothing goes on from it any more. Throws a fault (404) where there is none. */
	delete(id: string): void {
		if (!this.#store.delete(id)) {
			throw notFound(id);
		}
	}

	#chain(id: string): readonly ChainedRow[] {
		const chain = this.#store.chain(id, defaultBodyLimit);
		if ('missing' in chain) {
			const through = chain.missing === id ? '' : `, which '${id}' goes on from,`;
			throw new ServiceFault(400, `Previous response with id '${chain.missing.slice(0, 200)}'${through} not found.`, {
				params: 'previous_response_id',
				code: 'previous_response_not_found',
			});
		}
		if ('tooLong' in chain) {
			throw new ServiceFault(400, `The conversation before this request is too long: at most ${defaultBodyLimit} bytes are taken.`, {
				params: 'previous_response_id',
				code: 'context_length_exceeded',
			});
		}
		return chain;
	}

	#item(id: string, at: string): ResponseInputItem {
		const row = this.#store.ofItem(id);
		const item = row && itemsOf(row.output).find(candidate => candidate.id === id);
		if (!item) {
			throw new ServiceFault(400, `Item with id '${id.slice(0, 200)}' not found.`, { params: at });
		}
		return item;
	}
}

function itemsOf(json: string): ResponseInputItem[] {
	return JSON.parse(json) as ResponseInputItem[];
}

function notFound(id: string): ServiceFault {
	return new ServiceFault(404, `Response with id '${id.slice(0, 200)}' not found.`, { code: null });
}
