import type { JournalEntry } from '../runTypes.ts';
import { Timeline, type TimelineRow } from './timeline.ts';

/** Least width of a column of numbers, in characters. */
const leastWidth = 12;

/** Executions of one node in a run. Times in milliseconds. */
interface NodeTimes {
	readonly title: string;
	readonly kind: string;
	readonly depth: number;
	readonly statuses: Set<string>;
	count: number;
	total: number;
	longest: number;
}

/**
 * Table of the time that each node of a run took, a line a node in the order in which they first began: plain text, so that the tables of two
 * runs can be compared line by line.
 */
export async function nodeTimes(entries: AsyncIterable<JournalEntry>): Promise<string> {
	const timeline = new Timeline();
	for await (const entry of entries) {
		timeline.take(entry);
	}
	const nodes = new Map<string, NodeTimes>();
	const depths = new Map<string, number>();
	for (const row of timeline.rows) {
		const depth = row.parent === undefined ? 0 : (depths.get(row.parent) ?? 0) + 1;
		depths.set(row.id, depth);
		if (row.nodeId !== undefined) {
			add(nodes, row.nodeId, row, depth);
		}
	}
	const lines = [...nodes.values()].map(({ title, kind, depth, statuses, count, total, longest }) => [
		`${'  '.repeat(depth)}${title.replace(/\s+/g, ' ')}`,
		timeText(total),
		timeText(longest),
		String(count),
		[...statuses].join(', '),
		kind,
	]);
	return table([['node', 'total', 'longest', 'times', 'status', 'type'], ...lines]);
}

function add(nodes: Map<string, NodeTimes>, id: string, { title, kind, status, start, end }: TimelineRow, depth: number): void {
	const node = nodes.get(id) ?? { title, kind, depth, statuses: new Set<string>(), count: 0, total: 0, longest: 0 };
	const took = end === undefined ? 0 : end - start;
	node.statuses.add(status);
	node.count++;
	node.total += took;
	node.longest = Math.max(node.longest, took);
	nodes.set(id, node);
}

function timeText(ms: number): string {
	return `${ms.toFixed(1)} ms`;
}

/** Columns as wide as they need to be; numbers on the right, in columns wide enough that other times do not move the rest. */
function table(lines: readonly (readonly string[])[]): string {
	const widths = lines[0]?.map((_, column) => Math.max(...lines.map(line => line[column]?.length ?? 0))) ?? [];
	const text = lines.map(line =>
		line
			.map((cell, column) =>
				column > 0 && column < 4 ? cell.padStart(Math.max(leastWidth, widths[column] ?? 0)) : cell.padEnd(widths[column] ?? 0),
			)
			.join('  ')
			.trimEnd(),
	);
	return `${text.join('\n')}\n`;
}
