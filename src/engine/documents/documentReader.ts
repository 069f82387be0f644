import type { Document } from '#base/threads/tasks.ts';
import { ThreadFault } from '#base/threads/threadFault.ts';
import { ThreadPool } from '#base/threads/threadPool.ts';
import { NodeError } from '../nodes/nodeError.ts';
import { taskThreadFile } from '../threads/taskThreadFile.ts';

/** Number of threads for reading documents, and the limits for one document. */
const limits = { maxThreads: 2, timeoutMs: 10_000, memoryMb: 512 };

/** Reads documents in threads, which are terminated when they exceed their time or memory limit. The gateway has one instance. */
export class DocumentReader {
	readonly #threads = new ThreadPool(taskThreadFile, limits);

	/** Returns the text of a document. Rejects with a {@link NodeError} if the document can't be read, is too large or takes too long. */
	async readText({ name, mimeType, bytes }: Document, signal: AbortSignal): Promise<string> {
		try {
			return await this.#threads.run('document', { name, mimeType, bytes: new Uint8Array(bytes) }, signal);
		} catch (cause) {
			signal.throwIfAborted();
			const { message, type } = cause as { readonly message: string; readonly type?: string };
			throw cause instanceof ThreadFault
				? new NodeError(`Couldn't read the document '${name}': ${message}`, 'TextExtractionError', { cause })
				: new NodeError(message, type ?? 'TextExtractionError', { cause });
		}
	}

	close(): Promise<void> {
		return this.#threads.close();
	}
}
