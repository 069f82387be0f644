import { getField, getFieldText, getItems, isRecord } from '#base/records/plainValues.ts';
import type { RunTrace } from '../running/runTrace.ts';

/** A part of a document that a run retrieved. */
export interface RetrievedChunk {
	readonly content: string;
	readonly document: string;
	/** ID of the segment; empty if the service doesn't report it. */
	readonly segment: string;
}

/** Prefix of the tools that search datasets. */
const datasetTool = 'dataset_';

/**
 * Returns what a run retrieved, in order: the results of its knowledge nodes and dataset tools, or else the sources of its reply.
 *
 * @param node ID of the only node to consider
 */
export function listRetrievedChunks(trace: RunTrace, node: string | undefined): readonly RetrievedChunk[] {
	const nodes = [...trace.listNodes().values()].filter(({ id, type }) =>
		node === undefined ? type === 'knowledge-retrieval' : id === node,
	);
	const results = nodes.flatMap(({ outputs }) => getItems(outputs, 'result').map(readChunk));
	const calls = trace.toolCalls.filter(
		({ tool, result, ...call }) => tool.startsWith(datasetTool) && result !== undefined && (node === undefined || call.node === node),
	);
	const chunks = [
		...results,
		...calls.map(({ tool, result }) => ({
			content: typeof result === 'string' ? result : JSON.stringify(result),
			document: tool,
			segment: '',
		})),
	];
	return chunks.length > 0 || node !== undefined ? chunks : trace.sources.map(readSource);
}

function readChunk(item: unknown): RetrievedChunk {
	const metadata = getField(item, 'metadata');
	return {
		content: isRecord(item) ? getFieldText(item, 'content') : String(item),
		document: getFieldText(metadata, 'document_name') || getFieldText(item, 'title'),
		segment: getFieldText(metadata, 'segment_id'),
	};
}

function readSource(source: unknown): RetrievedChunk {
	return {
		content: getFieldText(source, 'content'),
		document: getFieldText(source, 'document_name'),
		segment: getFieldText(source, 'segment_id'),
	};
}
