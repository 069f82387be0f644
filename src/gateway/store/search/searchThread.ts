import { parentPort, workerData } from 'node:worker_threads';
import { type ThreadAnswer, toThreadError } from '../../process/requestThread.ts';
import { SearchIndex, type SearchOrder } from './searchIndex.ts';

/** Files used by the thread. */
export interface SearchFiles {
	readonly index: string;
	readonly store: string;
}

/** A request to the thread. The response has the same `id`, and a `value` or an `error`. */
export type SearchRequest =
	| { readonly id: number; readonly kind: 'runStep' }
	| { readonly id: number; readonly kind: 'markFilled' }
	| { readonly id: number; readonly kind: 'find'; readonly order: SearchOrder };

// this is a worker thread, because indexing long texts and counting matches of common words take too long
const files = workerData as SearchFiles;
let index: SearchIndex | undefined;

parentPort?.on('message', (request: SearchRequest) => {
	let answer: ThreadAnswer;
	try {
		index ??= new SearchIndex(files.index, files.store);
		answer = { id: request.id, value: request.kind === 'find' ? index.findRuns(request.order) : index[request.kind]() };
	} catch (error) {
		answer = { id: request.id, error: toThreadError(error) };
	}
	parentPort?.postMessage(answer);
});
