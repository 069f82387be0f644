import { getOwnField } from '#base/records/ownField.ts';
import { formatDuration } from '#base/text/duration.ts';
import { formatQuantity } from '#base/text/quantity.ts';
import type { NodeTimes } from '../events/nodeTimes.ts';
import { formatReadableValue } from './readableValue.ts';

/** Facts of a run to compare. */
export interface ComparedRun {
	readonly status: string;
	readonly error?: string;
	/** Duration in milliseconds. */
	readonly duration?: number;
	readonly tokens?: number;
	/** Inputs as sent. */
	readonly inputs: Readonly<Record<string, unknown>>;
	readonly outputs: Readonly<Record<string, unknown>>;
	/** Times of the nodes, by node ID. */
	readonly nodes: ReadonlyMap<string, NodeTimes>;
}

/** Minimum time difference to report: in milliseconds, and as a share of the longer time. */
const leastDifference = 100;
const leastShare = 0.2;

/**
 * Formats a run for a side-by-side diff with another run, so that matching lines align: differences first (result, inputs, outputs, nodes),
 * with each value below its name, then the names of what is the same. Always English, like the output channel.
 */
export function formatComparison(run: ComparedRun, other: ComparedRun): string {
	const same: string[] = [];
	const sections = [
		compareResults(run, other, same),
		...compareValues('Input', run.inputs, other.inputs, same),
		...compareValues('Output', run.outputs, other.outputs, same),
		compareNodes(run, other, same),
	].filter(section => section !== undefined);
	if (sections.length === 0) {
		sections.push('# No differences');
	}
	return `${[...sections, ...(same.length > 0 ? [`# Same in both runs\n\n${same.join('\n')}`] : [])].join('\n\n')}\n`;
}

function compareResults(run: ComparedRun, other: ComparedRun, same: string[]): string | undefined {
	const lines: string[] = [];
	const addFact = (name: string, differs: boolean, text: string) => (differs ? lines : same).push(`${name}: ${text}`);
	addFact('Status', run.status !== other.status, run.status);
	if (run.error !== other.error) {
		lines.push(`Error: ${formatReadableValue(run.error)}`);
	}
	if (run.duration !== undefined || other.duration !== undefined) {
		const differs = isNoticeableDifference(run.duration, other.duration);
		addFact('Duration', differs, differs ? formatBriefTime(run.duration) : `about ${formatBriefTime(run.duration)}`);
	}
	if (run.tokens || other.tokens) {
		addFact('Tokens', run.tokens !== other.tokens, String(run.tokens ?? 0));
	}
	return lines.length > 0 ? `# Result\n\n${lines.join('\n')}` : undefined;
}

/** Formats a section for each value that differs. */
function compareValues(
	kind: 'Input' | 'Output',
	own: Readonly<Record<string, unknown>>,
	others: Readonly<Record<string, unknown>>,
	same: string[],
): string[] {
	const names = [...new Set([...Object.keys(own), ...Object.keys(others)])].sort();
	const [equal, different] = [true, false].map(wanted =>
		names.filter(name => isSameJson(getOwnField(own, name), getOwnField(others, name)) === wanted),
	);
	if (equal && equal.length > 0) {
		same.push(`${kind}s: ${equal.map(toSingleLine).join(', ')}`);
	}
	return (different ?? []).map(name => `# ${kind}: ${toSingleLine(name)}\n\n${formatReadableValue(getOwnField(own, name))}`);
}

/** Formats a line for each node that ran in only one run, ended differently, or took noticeably longer or shorter. */
function compareNodes(run: ComparedRun, other: ComparedRun, same: string[]): string | undefined {
	// use the order of the run with more nodes, so that both texts have the same order
	const ids = [...new Set([run, other].sort((a, b) => b.nodes.size - a.nodes.size).flatMap(each => [...each.nodes.keys()]))];
	const rows = ids.map(id => {
		const [own, theirs] = [run.nodes.get(id), other.nodes.get(id)];
		const title = `${'  '.repeat((own ?? theirs)?.depth ?? 0)}${toSingleLine((own ?? theirs)?.title ?? id)}`;
		const differs =
			!own ||
			!theirs ||
			own.statuses.join() !== theirs.statuses.join() ||
			own.count !== theirs.count ||
			isNoticeableDifference(own.total, theirs.total);
		return { title, own, differs };
	});
	const shown = rows.filter(({ differs }) => differs);
	if (shown.length < rows.length) {
		const count = rows.length - shown.length;
		same.push(`${formatQuantity(count, 'node')}, in about the same time`);
	}
	if (shown.length === 0) {
		return undefined;
	}
	const width = shown.reduce((longest, { title }) => Math.max(longest, title.length), 0);
	const lines = shown.map(({ title, own }) =>
		own
			? `${title.padEnd(width)}  ${formatBriefTime(own.total).padStart(10)}  ${own.statuses.join(', ')}${own.count > 1 ? ` (${own.count} times)` : ''}`
			: `${title.padEnd(width)}  ${'did not run'.padStart(10)}`,
	);
	return `# Nodes\n\n${lines.join('\n')}`;
}

/** Puts a name on one line. Names come from the service or the caller, so they can contain line breaks. */
function toSingleLine(name: string): string {
	return name.replace(/\s+/g, ' ');
}

function isNoticeableDifference(own: number | undefined, other: number | undefined): boolean {
	if (own === undefined || other === undefined) {
		return own !== other;
	}
	const difference = Math.abs(own - other);
	return difference >= leastDifference && difference >= leastShare * Math.max(own, other);
}

function isSameJson(own: unknown, other: unknown): boolean {
	return JSON.stringify(own) === JSON.stringify(other);
}

function formatBriefTime(ms: number | undefined): string {
	if (ms === undefined) {
		return '(none)';
	}
	return formatDuration(ms, 'brief');
}
