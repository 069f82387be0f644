import type { Document } from '#base/threads/tasks.ts';
import { ThreadFault } from '#base/threads/threadFault.ts';
import { ThreadPool } from '#base/threads/threadPool.ts';
import { NodeError } from '../nodes/nodeType.ts';
import { taskThreadFile } from '../threads/taskThreadFile.ts';

/** Threads for documents, and what one document may take. */
const limits = { maxThreads: 2, timeoutMs: 10_000, memoryMb: 512 };

/** Reads documents in threads that are ended when their time or memory is over. One for the whole gateway. */
export class DocumentReader {
	readonly #threads = new ThreadPool(taskThreadFile, limits);

	/** The text of a document. Rejects with a {@link NodeError} for what cannot be read, or is too large or takes too long. */
	async read({ name, mimeType, bytes }: Document, signal: AbortSignal): Promise<string> {
		try {
			return await this.#threads.run('document', { name, mimeType, bytes: new Uint8Array(bytes) }, signal);
		} catch (cause) {
			signal.throwIfAborted();
			const { message, type } = cause as { readonly message: string; readonly type?: string };
			throw cause instanceof ThreadFault
				? new NodeError(`The document "${name}" cannot be read: ${message}`, 'TextExtractionError', { cause })
				: new NodeError(message, type ?? 'TextExtractionError', { cause });
		}
	}

	close(): Promise<void> {
		return this.#threads.close();
	}
}
