import type { AgentCoverage } from './agentCoverage.ts';

/** Formats coverage as lcov: nodes are lines, and the output handles of a node with several are branches. */
export function formatLcov(files: readonly AgentCoverage[]): string {
	return files.map(formatFileRecord).join('');
}

function formatFileRecord({ file, nodes }: AgentCoverage): string {
	const lines = new Map<number, number>();
	for (const { line, count } of nodes) {
		// nodes on the same line of a compact file count once, with the lowest count
		lines.set(line, Math.min(lines.get(line) ?? count, count));
	}
	const ways = nodes.flatMap(({ ways, count }, block) =>
		ways.map((way, at) => ({ ...way, block, at, taken: count === 0 ? '-' : String(way.count) })),
	);
	return [
		'TN:',
		`SF:${file}`,
		...ways.map(({ line, block, at, taken }) => `BRDA:${line + 1},${block},${at},${taken}`),
		`BRF:${ways.length}`,
		`BRH:${ways.filter(({ count }) => count > 0).length}`,
		...[...lines].sort(([a], [b]) => a - b).map(([line, count]) => `DA:${line + 1},${count}`),
		`LF:${lines.size}`,
		`LH:${[...lines.values()].filter(count => count > 0).length}`,
		'end_of_record',
		'',
	].join('\n');
}
