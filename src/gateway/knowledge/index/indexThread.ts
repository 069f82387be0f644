import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { isDamageError, removeIndexFile } from '../../process/indexFiles.ts';
import { type ThreadAnswer, toThreadError } from '../../process/requestThread.ts';
import { DocumentIndex, type DocumentText, type ReadDocument } from './documentIndex.ts';
import { openIndexFile } from './indexFile.ts';
import { type IndexQuery, SegmentSearch } from './segmentSearch.ts';
import type { SegmentVector } from './segmentStore.ts';

/** A request to the thread; see {@link DocumentIndex} and {@link SegmentSearch} for the operations and their results. */
export type IndexRequest = { readonly id: number } & (
	| { readonly kind: 'keepOnly'; readonly folders: readonly string[]; readonly models: readonly string[] }
	| { readonly kind: 'scan' | 'next' | 'forget'; readonly folder: string }
	| { readonly kind: 'put'; readonly document: Pick<ReadDocument, 'id' | 'hash' | 'path'>; readonly read: DocumentText }
	| { readonly kind: 'unembedded'; readonly folder: string; readonly model: string; readonly limit: number }
	| { readonly kind: 'keepVectors'; readonly folder: string; readonly model: string; readonly vectors: readonly SegmentVector[] }
	| { readonly kind: 'count'; readonly folder: string; readonly model: string | undefined }
	| { readonly kind: 'problems'; readonly folder: string; readonly limit: number }
	| { readonly kind: 'find'; readonly query: IndexQuery }
	| { readonly kind: 'listMetadataNames'; readonly folders: readonly string[] }
);

// this is a worker thread, because reading folders, splitting texts and comparing vectors take too long
let parts: { readonly db: DatabaseSync; readonly index: DocumentIndex; readonly search: SegmentSearch } | undefined;

function openParts(): NonNullable<typeof parts> {
	const db = openIndexFile(workerData as string);
	return { db, index: new DocumentIndex(db), search: new SegmentSearch(db) };
}

/** Removes the index if an error says that it's damaged, so that the next request creates a new one. Returns the error to report. */
function removeDamagedIndex(error: unknown): unknown {
	if (!parts || !isDamageError(error)) {
		return error;
	}
	parts.db.close();
	parts = undefined;
	removeIndexFile(workerData as string);
	return new Error('The index of documents was damaged. They are read again now', { cause: error });
}

function handleRequest(request: IndexRequest): unknown {
	parts ??= openParts();
	const { index, search } = parts;
	switch (request.kind) {
		// once per process, before the first document is read
		case 'keepOnly':
			index.forgetAttempts();
			return index.removeOtherFolders(request.folders, request.models);
		case 'scan':
			return index.scanFolder(request.folder);
		case 'next':
			return index.findNextDocument(request.folder);
		case 'forget':
			return index.removeFolder(request.folder);
		case 'put':
			return index.saveDocument(request.document, request.read);
		case 'unembedded':
			return index.segments.getUnembedded(request.folder, request.model, request.limit);
		case 'keepVectors':
			return index.segments.addVectors(request.folder, request.model, request.vectors);
		case 'count':
			return index.countDocuments(request.folder, request.model);
		case 'problems':
			return index.getProblems(request.folder, request.limit);
		case 'find':
			return search.findSegments(request.query);
		case 'listMetadataNames':
			return search.getMetadataNames(request.folders);
	}
}

parentPort?.on('message', (request: IndexRequest) => {
	let reply: ThreadAnswer;
	try {
		reply = { id: request.id, value: handleRequest(request) };
	} catch (error) {
		reply = { id: request.id, error: toThreadError(removeDamagedIndex(error)) };
	}
	const { bytes } = (reply.value ?? {}) as Partial<ReadDocument>;
	// large documents are transferred instead of copied; a small one may be in a shared buffer
	parentPort?.postMessage(reply, bytes && bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer as ArrayBuffer] : []);
});
