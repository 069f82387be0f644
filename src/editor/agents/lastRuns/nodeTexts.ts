import { createHash } from 'node:crypto';
import { graphPath, readAgentGraph } from '#agentFile/agentGraph.ts';
import { findProgramStart } from '#agentFile/failureLine.ts';
import type { AgentReading } from '#agentFile/reading/agentReading.ts';
import { findNodeAt } from '#agentFile/yamlTree.ts';

/** Position and content hash of a node in an agent file. */
export interface NodeText {
	/** First 16 hex digits of the SHA-256 of the node's `data`. Doesn't change when the node moves. */
	readonly text: string;
	/** Offset of the node's ID. */
	readonly offset: number;
	/** Offset of the first line of its program or template, if that's a block. */
	readonly program: number | undefined;
}

/** Returns the nodes of an agent file by ID, or an empty map if the text can't be parsed. */
export function listNodeTexts({ text, root, content }: AgentReading): ReadonlyMap<string, NodeText> {
	const list = findNodeAt(root, [...graphPath, 'nodes']);
	return new Map(
		readAgentGraph(content).nodes.flatMap(({ id, at }) => {
			const [place, data] = [findNodeAt(list, [at, 'id']), findNodeAt(list, [at, 'data'])];
			const written = data ? text.slice(data.offset, data.offset + data.length).trimEnd() : '';
			return place
				? [
						[
							id,
							{
								text: createHash('sha256').update(written).digest('hex').slice(0, 16),
								offset: place.offset,
								program: findProgramStart(text, data),
							},
						] as const,
					]
				: [];
		}),
	);
}
