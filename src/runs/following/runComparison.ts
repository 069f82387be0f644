import { getOwnField } from '#base/records/ownField.ts';
import { cutText } from '#base/text/cutText.ts';
import { formatDuration, getDurationStrings } from '#base/text/duration.ts';
import type { Localization, Translate } from '#base/text/localization.ts';
import type { NodeTimes } from '../events/nodeTimes.ts';
import { getNodeStatusLabels, getStatusLabel } from '../events/statusLabel.ts';
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
/** Maximum length of a node's title, and of its indentation in levels. Each line is as long as the longest one. */
const longestTitle = 100;
const mostLevels = 20;
/** Number of characters after which further values aren't shown: their indentation can be much longer than the values. */
const longestValues = 20_000_000;

/**
 * Formats a run for a side-by-side diff with another run, so that matching lines align: differences first (result, inputs, outputs, nodes),
 * with each value below its name, then the names of what is the same.
 */
export function formatComparison(run: ComparedRun, other: ComparedRun, l10n: Localization): string {
	return new Comparison(l10n).format(run, other);
}

class Comparison {
	readonly #l10n: Localization;
	readonly #t: Translate;
	/** Lines about what is the same. */
	readonly #same: string[] = [];
	/** Characters of the values so far. */
	#length = 0;

	constructor(l10n: Localization) {
		this.#l10n = l10n;
		this.#t = l10n.t;
	}

	format(run: ComparedRun, other: ComparedRun): string {
		const t = this.#t;
		const sections = [
			this.#compareResults(run, other),
			...this.#compareValues(run.inputs, other.inputs, {
				title: name => t('Input: {0}', name),
				same: names => t('Inputs: {0}', names),
			}),
			...this.#compareValues(run.outputs, other.outputs, {
				title: name => t('Output: {0}', name),
				same: names => t('Outputs: {0}', names),
			}),
			this.#compareNodes(run, other),
		].filter(section => section !== undefined);
		if (sections.length === 0) {
			sections.push(`# ${t('No differences')}`);
		}
		return `${[...sections, ...(this.#same.length > 0 ? [`# ${t('Same in both runs')}\n\n${this.#same.join('\n')}`] : [])].join('\n\n')}\n`;
	}

	#compareResults(run: ComparedRun, other: ComparedRun): string | undefined {
		const t = this.#t;
		const lines: string[] = [];
		const addFact = (differs: boolean, text: string) => (differs ? lines : this.#same).push(text);
		addFact(run.status !== other.status, t('Status: {0}', this.#formatStatus(run.status)));
		if (run.error !== other.error) {
			lines.push(t('Error: {0}', formatReadableValue(run.error, t)));
		}
		if (run.duration !== undefined || other.duration !== undefined) {
			const differs = isNoticeableDifference(run.duration, other.duration);
			const time = this.#formatTime(run.duration);
			addFact(differs, differs ? t('Duration: {0}', time) : t('Duration: about {0}', time));
		}
		if (run.tokens || other.tokens) {
			addFact(run.tokens !== other.tokens, t('Tokens: {0}', String(run.tokens ?? 0)));
		}
		return lines.length > 0 ? `# ${t('Result')}\n\n${lines.join('\n')}` : undefined;
	}

	/** Formats a section for each value that differs. */
	#compareValues(
		own: Readonly<Record<string, unknown>>,
		others: Readonly<Record<string, unknown>>,
		strings: { title(name: string): string; same(names: string): string },
	): string[] {
		const names = [...new Set([...Object.keys(own), ...Object.keys(others)])].sort();
		const [equal, different] = [true, false].map(wanted =>
			names.filter(name => isSameJson(getOwnField(own, name), getOwnField(others, name)) === wanted),
		);
		if (equal && equal.length > 0) {
			this.#same.push(strings.same(equal.map(toSingleLine).join(', ')));
		}
		return (different ?? []).map(name => {
			const text = this.#length < longestValues ? formatReadableValue(getOwnField(own, name), this.#t) : '…';
			this.#length += text.length;
			return `# ${strings.title(toSingleLine(name))}\n\n${text}`;
		});
	}

	/** Formats a line for each node that ran in only one run, ended differently, or took noticeably longer or shorter. */
	#compareNodes(run: ComparedRun, other: ComparedRun): string | undefined {
		const t = this.#t;
		// use the order of the run with more nodes, so that both texts have the same order
		const ids = [...new Set([run, other].sort((a, b) => b.nodes.size - a.nodes.size).flatMap(each => [...each.nodes.keys()]))];
		const rows = ids.map(id => {
			const [own, theirs] = [run.nodes.get(id), other.nodes.get(id)];
			const { depth = 0, title: name = id } = own ?? theirs ?? {};
			const title = `${'  '.repeat(Math.min(depth, mostLevels))}${cutText(toSingleLine(name), longestTitle)}`;
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
			this.#same.push(count === 1 ? t('1 node, in about the same time') : t('{0} nodes, in about the same time', count));
		}
		if (shown.length === 0) {
			return undefined;
		}
		const width = shown.reduce((longest, { title }) => Math.max(longest, title.length), 0);
		const statuses = getNodeStatusLabels(this.#l10n);
		const lines = shown.map(({ title, own }) => {
			const time = (own ? this.#formatTime(own.total) : t("didn't run")).padStart(10);
			const ends = own?.statuses.map(status => getOwnField(statuses, status) ?? status).join(', ') ?? '';
			const count = own && own.count > 1 ? `${ends} (${t('{0} times', own.count)})` : ends;
			return `${title.padEnd(width)}  ${time}  ${count}`.trimEnd();
		});
		return `# ${t('Nodes')}\n\n${lines.join('\n')}`;
	}

	#formatStatus(status: string): string {
		return getStatusLabel(this.#l10n, status);
	}

	#formatTime(ms: number | undefined): string {
		const t = this.#t;
		return ms === undefined ? t('(none)') : formatDuration(ms, 'brief', getDurationStrings(this.#l10n));
	}
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
