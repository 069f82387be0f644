import type { Node } from 'jsonc-parser';
import { graphPath, readAgentGraph } from './agentGraph.ts';
import type { AgentReading } from './reading/agentReading.ts';
import { findNodeAt } from './yamlTree.ts';

/** Fields with a program or template, whose errors name a line. */
const programFields = ['code', 'template'];

/** Returns the line, from 1, that an error of a program or template names; `undefined` if it names none. */
export function readErrorLine(error: string): number | undefined {
	const line = /\(line (\d{1,6})[:)]/.exec(error)?.[1];
	return line === undefined ? undefined : Number(line);
}

/**
 * Returns the offset of the first line of a node's program or template, if it's a block. Other notations have no lines of their own.
 * @param data the node's `data` in the tree
 */
export function findProgramStart(text: string, data: Node | undefined): number | undefined {
	for (const field of programFields) {
		const value = findNodeAt(data, [field]);
		if (value && /[|>]/.test(text[value.offset] ?? '')) {
			const end = text.indexOf('\n', value.offset);
			return end < 0 ? undefined : end + 1;
		}
	}
	return undefined;
}

/** Returns the line of the file, from 1, at which a node's program or template failed; `undefined` if the error names no line. */
export function findFailureLine(reading: AgentReading, id: string, error: string): number | undefined {
	const { text, root, content } = reading;
	const line = readErrorLine(error);
	const node = readAgentGraph(content).nodes.find(each => each.id === id);
	const start = node && findProgramStart(text, findNodeAt(root, [...graphPath, 'nodes', node.at, 'data']));
	return line === undefined || start === undefined ? undefined : reading.getLineAt(start) + line - 1;
}
