import { parentPort, workerData } from 'node:worker_threads';
import { isDamageError, removeIndexFile } from '../../process/indexFiles.ts';
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

function answerRequest(request: SearchRequest): unknown {
	try {
		return handleRequest(request);
	} catch (error) {
		return retryWithNewIndex(request, error);
	}
}

function handleRequest(request: SearchRequest): unknown {
	index ??= new SearchIndex(files.index, files.store);
	return request.kind === 'find' ? index.findRuns(request.order) : index[request.kind]();
}

/** Handles a request again with a new index if the index turned out to be damaged. Its damage must not be reported as that of the store. */
function retryWithNewIndex(request: SearchRequest, error: unknown): unknown {
	if (!index || !isDamageError(error) || !index.isStoreReadable()) {
		throw error;
	}
	index.close();
	index = undefined;
	removeIndexFile(files.index);
	return handleRequest(request);
}

parentPort?.on('message', (request: SearchRequest) => {
	let answer: ThreadAnswer;
	try {
		answer = { id: request.id, value: answerRequest(request) };
	} catch (error) {
		answer = { id: request.id, error: toThreadError(error) };
	}
	parentPort?.postMessage(answer);
});
