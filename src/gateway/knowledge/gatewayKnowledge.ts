import { createHash } from 'node:crypto';
import { type LocalizableMessage, localizable } from '#base/text/localizableMessage.ts';
import { formatQuantity } from '#base/text/quantity.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { DatasetStatus } from '#contract/knowledge.ts';
import type { Knowledge, KnowledgeItem, KnowledgeQuery, KnowledgeResult } from '#engine/knowledge/knowledge.ts';
import { isMetadataMatching } from '#engine/knowledge/metadataFilter.ts';
import type { RequestThread } from '../process/requestThread.ts';
import type { DatasetConfig } from '../setup/config.ts';
import { type DifyDataset, type DifyRecord, difyQueryLength } from './difyDataset.ts';
import type { Embedder } from './embedder.ts';
import { getRankShare } from './fusion.ts';
import type { IndexRequest } from './index/indexThread.ts';
import type { FoundSegment, FoundSegments } from './index/segmentSearch.ts';
import type { Indexer } from './indexer.ts';

/** How long a search waits for changed documents, in milliseconds. */
const patienceMs = 5_000;
/** Maximum number of problems reported per dataset. */
const maxProblems = 50;

/** A configured dataset. */
interface Dataset {
	readonly id: string;
	readonly config: DatasetConfig;
	/** Absolute path of a local dataset's folder. */
	readonly folder: string | undefined;
	/** Set for a dataset on a Dify deployment. */
	readonly remote: DifyDataset | undefined;
}

interface KnowledgeParts {
	readonly datasets: readonly Dataset[];
	readonly thread: RequestThread<IndexRequest>;
	readonly indexer: Indexer;
	readonly embedder: Embedder;
}

/** A search result, with its rank among all results. */
interface Ranked {
	readonly item: KnowledgeItem;
	readonly rank: number;
}

/** The datasets of this gateway: indexed local folders, and datasets on Dify deployments. */
export class GatewayKnowledge implements Knowledge {
	readonly #parts: KnowledgeParts;

	constructor(parts: KnowledgeParts) {
		this.#parts = parts;
	}

	async search(query: KnowledgeQuery, signal: AbortSignal): Promise<KnowledgeResult> {
		// a file can name one dataset very often, by its ID and its name
		const datasets = [...new Set(query.datasets.map(id => this.#getDataset(id)))];
		const notes: string[] = [];
		const lists = [
			...(datasets.some(({ folder }) => folder !== undefined) ? [this.#searchLocalDatasets(query, datasets, notes, signal)] : []),
			...datasets.flatMap(dataset => (dataset.remote ? [this.#searchRemoteDataset(dataset, dataset.remote, query, notes, signal)] : [])),
		];
		const ranked = (await Promise.all(lists)).flat().sort((left, right) => right.rank - left.rank);
		const best = ranked[0]?.item.metadata.dataset_id;
		const kept = query.mode === 'single' ? ranked.filter(({ item }) => item.metadata.dataset_id === best) : ranked;
		const items = kept.slice(0, query.topK).map(({ item }, index) => ({ ...item, metadata: { ...item.metadata, position: index + 1 } }));
		return { items, notes };
	}

	async listMetadataNames(ids: readonly string[]): Promise<readonly string[]> {
		const folders = [...new Set(ids.flatMap(id => this.#getDataset(id).folder ?? []))];
		return this.#parts.thread.sendRequest<readonly string[]>({ kind: 'listMetadataNames', folders });
	}

	/** Returns all datasets with their indexing progress. */
	listDatasets(): Promise<readonly DatasetStatus[]> {
		return Promise.all(this.#parts.datasets.map(dataset => this.#getStatus(dataset)));
	}

	/** Reindexes the whole folder of a dataset. Throws an error for a dataset that isn't a local folder. */
	async reindexDataset(id: string): Promise<DatasetStatus> {
		const dataset = this.#parts.datasets.find(each => each.id === id);
		if (dataset?.folder === undefined) {
			throw dataset
				? new ServiceFault(400, localizable`The dataset '${id}' isn't a local folder. Reindex it on its own server.`)
				: new ServiceFault(404, createMissingMessage(id));
		}
		await this.#parts.indexer.rebuildFolder(dataset.folder);
		this.#parts.embedder.scheduleEmbedding();
		return this.#getStatus(dataset);
	}

	#getDataset(id: string): Dataset {
		const dataset = this.#parts.datasets.find(each => each.id === id) ?? this.#parts.datasets.find(({ config }) => config.name === id);
		if (!dataset) {
			throw new ServiceFault(400, createMissingMessage(id));
		}
		return dataset;
	}

	async #searchLocalDatasets(
		query: KnowledgeQuery,
		datasets: readonly Dataset[],
		notes: string[],
		signal: AbortSignal,
	): Promise<readonly Ranked[]> {
		const { indexer, thread } = this.#parts;
		const byFolder = new Map(datasets.flatMap(dataset => (dataset.folder === undefined ? [] : [[dataset.folder, dataset] as const])));
		const folders = [...byFolder.keys()];
		const [vectors] = await Promise.all([
			this.#embedQuestion(query, [...byFolder.values()], notes, signal),
			indexer.refreshFolders(folders, patienceMs, signal),
		]);
		for (const [folder, { id }] of byFolder) {
			const { fault, note, indexing, count } = indexer.getFolderState(folder);
			if (fault !== undefined) {
				throw new ServiceFault(
					400,
					localizable`Couldn't search the dataset '${id}': ${fault}. Fix the folder or the setting 'agentWorkbench.gateway.knowledge'.`,
				);
			}
			if (indexing) {
				notes.push(
					`The dataset '${id}' is still being indexed${count ? ` (${formatQuantity(count.waiting, 'document')} left)` : ''}. Documents that aren't indexed yet weren't searched.`,
				);
			}
			if (note !== undefined) {
				notes.push(`The dataset '${id}' wasn't fully searched: ${note}.`);
			}
		}
		const { segments, bestScore } = await thread.sendRequest<FoundSegments>({
			kind: 'find',
			query: {
				folders,
				text: query.text,
				vectors,
				weights: query.weights,
				filter: query.filter,
				scoreThreshold: query.scoreThreshold ?? 0,
				// with several datasets, `single` only keeps the results of one, so don't limit them before
				limit: query.mode === 'single' && datasets.length > 1 ? Number.MAX_SAFE_INTEGER : query.topK,
			},
		});
		if (segments.length === 0 && bestScore > 0) {
			notes.push(`No result reached the minimum score ${query.scoreThreshold}. The best score was ${bestScore}.`);
		}
		return segments.map(segment => ({ rank: segment.rank, item: toLocalItem(byFolder.get(segment.folder) as Dataset, segment) }));
	}

	/** Returns the vector of the question for each model. If a service fails, only keywords are used. */
	async #embedQuestion(
		query: KnowledgeQuery,
		datasets: readonly Dataset[],
		notes: string[],
		signal: AbortSignal,
	): Promise<readonly { readonly model: string; readonly vector: Float32Array }[]> {
		const models = [...new Set(datasets.flatMap(({ config }) => config.embeddings ?? []))];
		const { embedder } = this.#parts;
		const found = models.map(async model => {
			try {
				return [{ model: embedder.identifyModel(model), vector: await embedder.embedQuestion(model, query.text, signal) }];
			} catch (error) {
				signal.throwIfAborted();
				notes.push(`Searched by keywords only: ${(error as Error).message}`);
				return [];
			}
		});
		return (await Promise.all(found)).flat();
	}

	async #searchRemoteDataset(
		dataset: Dataset,
		remote: DifyDataset,
		query: KnowledgeQuery,
		notes: string[],
		signal: AbortSignal,
	): Promise<readonly Ranked[]> {
		if (query.text.length > difyQueryLength) {
			notes.push(
				`The dataset '${dataset.id}' was searched with only the first ${difyQueryLength} characters of the question, Dify's limit.`,
			);
		}
		const records = await remote.retrieveSegments(query.text, signal);
		return records
			.map((record, index) => ({ rank: getRankShare(index + 1), item: toRemoteItem(dataset, record) }))
			.filter(({ item: { metadata } }) => metadata.score >= (query.scoreThreshold ?? 0))
			.filter(({ item: { metadata } }) => !query.filter || isMetadataMatching(query.filter, metadata.doc_metadata));
	}

	async #getStatus({ id, config, folder }: Dataset): Promise<DatasetStatus> {
		const named = { id, name: config.name ?? id };
		if (folder === undefined) {
			return { ...named, kind: 'dify', state: 'ready', notes: [], problems: [] };
		}
		const { indexer, embedder, thread } = this.#parts;
		const { fault, note, indexing } = indexer.getFolderState(folder);
		const [count, problems] = await Promise.all([
			indexer.countFolder(folder, config.embeddings === undefined ? undefined : embedder.identifyModel(config.embeddings)),
			thread.sendRequest<DatasetStatus['problems']>({ kind: 'problems', folder, limit: maxProblems }),
		]);
		const embedding = config.embeddings === undefined ? undefined : embedder.getError(config.embeddings);
		return {
			...named,
			kind: 'folder',
			folder,
			state: fault !== undefined ? 'failed' : indexing ? 'indexing' : 'ready',
			...count,
			notes: [fault, note, embedding].filter(each => each !== undefined),
			problems,
		};
	}
}

function createMissingMessage(id: string): LocalizableMessage {
	return localizable`The dataset '${id}' isn't configured. Add its folder or Dify dataset to the setting 'agentWorkbench.gateway.knowledge' (or to "knowledge" in the gateway's --config), for example {"${id}": {"folder": "handbook"}}.`;
}

function toLocalItem({ id, config }: Dataset, { path, content, position, hash, metadata, score }: FoundSegment): KnowledgeItem {
	const name = path.slice(path.lastIndexOf('/') + 1);
	return {
		title: name,
		content,
		files: null,
		metadata: {
			_source: 'knowledge',
			dataset_id: id,
			dataset_name: config.name ?? id,
			document_id: createUuid([id, path]),
			document_name: name,
			data_source_type: 'upload_file',
			segment_id: createUuid([id, path, hash, position]),
			retriever_from: 'workflow',
			score,
			position: 0,
			segment_position: position,
			segment_hit_count: 0,
			segment_word_count: content.length,
			segment_index_node_hash: hash,
			doc_metadata: metadata,
		},
	};
}

function toRemoteItem({ id, config }: Dataset, { segment, score }: DifyRecord): KnowledgeItem {
	const { document } = segment;
	const name = document?.name ?? '';
	return {
		title: name,
		content: segment.answer ? `question:${segment.content} answer:${segment.answer}` : segment.content,
		files: null,
		metadata: {
			_source: 'knowledge',
			dataset_id: id,
			dataset_name: config.name ?? id,
			document_id: document?.id ?? segment.document_id ?? '',
			document_name: name,
			data_source_type: document?.data_source_type ?? '',
			segment_id: segment.id,
			retriever_from: 'workflow',
			score: score ?? 0,
			position: 0,
			segment_position: segment.position ?? 0,
			segment_hit_count: segment.hit_count ?? 0,
			segment_word_count: segment.word_count ?? segment.content.length,
			segment_index_node_hash: segment.index_node_hash ?? '',
			doc_metadata: document?.doc_metadata ?? {},
		},
	};
}

/** Returns an ID in Dify's format. The same parts always give the same ID. */
function createUuid(parts: readonly unknown[]): string {
	const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
	return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');
}
