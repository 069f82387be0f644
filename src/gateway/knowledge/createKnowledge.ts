import { join, resolve } from 'node:path';
import { DocumentReader } from '#engine/documents/documentReader.ts';
import type { Log } from '../process/log.ts';
import { RequestThread } from '../process/requestThread.ts';
import type { DatasetConfig } from '../setup/config.ts';
import { GatewayEmbeddings } from '../textGeneration/embeddings.ts';
import type { TextGeneration } from '../textGeneration/textGeneration.ts';
import { DifyDataset } from './difyDataset.ts';
import { Embedder } from './embedder.ts';
import { GatewayKnowledge } from './gatewayKnowledge.ts';
import type { IndexRequest } from './index/indexThread.ts';
import { Indexer } from './indexer.ts';

interface KnowledgeSettings {
	/** Datasets of the configuration by ID. */
	readonly datasets: Readonly<Record<string, DatasetConfig>>;
	/** Folder that relative paths are resolved against. */
	readonly base: string;
	/** Folder for the index. */
	readonly data: string;
	/** Upstream keys by name. */
	readonly keys: ReadonlyMap<string, string>;
	readonly generation: TextGeneration;
	readonly log: Log;
}

/** The running datasets. They are indexed in the background until `stop` is called, which resolves once that has ended. */
export interface RunningKnowledge {
	readonly knowledge: GatewayKnowledge;
	stop(): Promise<void>;
}

/** Creates the datasets of the configuration, and starts indexing their folders. */
export function createKnowledge({ datasets: configs, base, data, keys, generation, log }: KnowledgeSettings): RunningKnowledge {
	const datasets = Object.entries(configs).map(([id, config]) => ({
		id,
		config,
		folder: config.folder === undefined ? undefined : resolve(base, config.folder),
		remote: config.dify && new DifyDataset(config.dify, keys.get(config.dify.key), generation.fetch),
	}));
	// the bundle has the thread's code in a file next to this one; the source is TypeScript
	const code = new URL(import.meta.url.endsWith('.ts') ? './index/indexThread.ts' : './indexThread.js', import.meta.url);
	const thread = new RequestThread<IndexRequest>({
		code,
		workerData: join(data, 'gateway.knowledge.db'),
		memoryMb: 256,
		name: 'The knowledge index thread',
	});
	const reader = new DocumentReader();
	const folders = [...new Set(datasets.flatMap(({ folder }) => folder ?? []))];
	const embedded = datasets.flatMap(({ folder, config: { embeddings: model } }) =>
		folder !== undefined && model !== undefined ? [{ folder, model }] : [],
	);
	const embedder = new Embedder(embedded, thread, new GatewayEmbeddings(generation), log);
	const models = [...new Set(embedded.map(({ model }) => embedder.identifyModel(model)))];
	const indexer = new Indexer(folders, models, thread, reader, log);
	indexer.onIndexed = () => embedder.scheduleEmbedding();
	if (folders.length > 0) {
		indexer.start();
	}
	return {
		knowledge: new GatewayKnowledge({ datasets, thread, indexer, embedder }),
		async stop() {
			indexer.stop();
			embedder.stop();
			await Promise.all([thread.stop(), reader.close()]);
		},
	};
}
