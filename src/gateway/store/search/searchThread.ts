import { parentPort, workerData } from 'node:worker_threads';
import { type ThreadAnswer, threadError } from '../../process/askedThread.ts';
import { SearchIndex, type SearchOrder } from './searchIndex.ts';

/** Files that the thread works on. */
export interface SearchFiles {
	readonly index: string;
	readonly store: string;
}

/** What the thread is asked; the answer has the same `id`, and a `value` or an `error`. */
export type SearchRequest =
	| { readonly id: number; readonly kind: 'step' }
	| { readonly id: number; readonly kind: 'filled' }
	| { readonly id: number; readonly kind: 'find'; readonly order: SearchOrder };

// a thread of its own: indexing a run with long texts, and counting what a common word finds, take longer than others should wait
const files = workerData as SearchFiles;
let index: SearchIndex | undefined;

parentPort?.on('message', (request: SearchRequest) => {
	let answer: ThreadAnswer;
	try {
		index ??= new SearchIndex(files.index, files.store);
		answer = { id: request.id, value: request.kind === 'find' ? index.find(request.order) : index[request.kind]() };
	} catch (error) {
		answer = { id: request.id, error: threadError(error) };
	}
	parentPort?.postMessage(answer);
});
