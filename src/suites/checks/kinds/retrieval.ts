import { isRecord } from '#base/records/plainValues.ts';
import { localizable } from '#base/text/localizableMessage.ts';
import type { CheckFields } from '../../suite.ts';
import type { CheckedRun, CheckSubject } from '../checkSubject.ts';
import { describeMinimum } from '../expectations.ts';
import { listRetrievedChunks, type RetrievedChunk } from '../retrievedChunks.ts';
import type { Verdict } from '../verdict.ts';

/** Metrics that compare what was retrieved with what is relevant. */
type RankMetric = 'hit' | 'recall' | 'precision' | 'mrr' | 'ndcg' | 'contextPrecision';

/** Maximum number of names in a message. */
const mostNamed = 20;

/** A metric's value, which is undefined if it has nothing to measure, with the names of what lowers it. */
interface Measured {
	readonly value: number | undefined;
	readonly missing: readonly string[];
}

/** Checks `rag`: measures what the run retrieved, or how its reply uses it. No model is needed. */
export function checkRetrieval(fields: CheckFields, subject: CheckSubject, { trace }: CheckedRun): Verdict {
	const {
		metric,
		atLeast = 1,
		node,
		k,
		relevant = [],
	} = fields['rag'] as {
		readonly metric: RankMetric | 'citations' | 'grounded';
		readonly atLeast?: number;
		readonly node?: string;
		readonly k?: number;
		readonly relevant?: readonly string[];
	};
	const chunks = listRetrievedChunks(trace, node);
	const { value, missing } =
		metric === 'citations'
			? measureCitations(getReplyText(subject.value), chunks)
			: metric === 'grounded'
				? measureGrounding(getReplyText(subject.value), chunks)
				: measureRanks(metric, chunks.slice(0, k), relevant, k);
	const names = [...new Set(chunks.map(({ document, segment }) => document || segment))].slice(0, mostNamed).join(', ');
	const retrieved = names === '' ? localizable`Nothing was retrieved.` : localizable`Retrieved: ${names}.`;
	const measured =
		value === undefined
			? localizable`There is nothing to measure. ${retrieved}`
			: localizable`Actual value: ${value.toFixed(2)}. ${retrieved}`;
	return {
		holds: value !== undefined && value >= atLeast - 1e-9,
		isUndecided: value === undefined,
		...(value !== undefined && { score: value }),
		expectation: describeMinimum(`rag.${metric}`, atLeast, fields['not'] === true),
		found: missing.length > 0 ? localizable`${measured} Missing: ${missing.slice(0, mostNamed).join(', ')}.` : measured,
	};
}

function measureRanks(
	metric: RankMetric,
	chunks: readonly RetrievedChunk[],
	relevant: readonly string[],
	k = Number.POSITIVE_INFINITY,
): Measured {
	const found = new Set<string>();
	// what each chunk finds, and what no earlier one found
	const ranks = chunks.map(chunk => {
		const matching = relevant.filter(each => isMatching(chunk, each));
		const news = matching.filter(each => !found.has(each));
		for (const each of news) {
			found.add(each);
		}
		return { isRelevant: matching.length > 0, news: news.length };
	});
	const hits = ranks.filter(({ isRelevant }) => isRelevant).length;
	const missing = relevant.filter(each => !found.has(each));
	const first = ranks.findIndex(({ isRelevant }) => isRelevant);
	switch (metric) {
		case 'hit':
			return { value: Number(hits > 0), missing };
		case 'recall':
			return { value: found.size / new Set(relevant).size, missing };
		case 'precision':
			return { value: ranks.length === 0 ? undefined : hits / ranks.length, missing };
		case 'mrr':
			return { value: first < 0 ? 0 : 1 / (first + 1), missing };
		case 'ndcg': {
			const ideal = sumGains(Array.from({ length: Math.min(new Set(relevant).size, k) }, () => 1));
			return { value: Math.min(1, sumGains(ranks.map(({ news }) => news)) / ideal), missing };
		}
		case 'contextPrecision': {
			let [seen, sum] = [0, 0];
			for (const [at, { isRelevant }] of ranks.entries()) {
				seen += Number(isRelevant);
				sum += isRelevant ? seen / (at + 1) : 0;
			}
			return { value: hits === 0 ? undefined : sum / hits, missing };
		}
	}
}

/** Sums gains, discounted by rank. */
function sumGains(gains: readonly number[]): number {
	return gains.reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0);
}

/** True if a chunk is what a suite names: by document, by segment, or by a quote. */
function isMatching({ content, document, segment }: RetrievedChunk, named: string): boolean {
	return document === named || segment === named || foldSpaces(content).includes(foldSpaces(named));
}

const foldSpaces = (text: string) => text.replace(/\s+/g, ' ').trim().toLowerCase();

/** A marker that cites sources by number: `[1]`, `[2, 3]`, `[^1]` or `【1】`. */
const marker = /[[【]\^?(\d{1,3}(?: ?, ?\d{1,3})*)[\]】]/g;

function measureCitations(text: string, chunks: readonly RetrievedChunk[]): Measured {
	const numbers = [...text.matchAll(marker)].flatMap(([, list = '']) => list.split(',').map(Number));
	const missing = numbers.filter(number => number < 1 || number > chunks.length);
	return {
		value: numbers.length === 0 ? undefined : 1 - missing.length / numbers.length,
		missing: missing.map(number => `[${number}]`),
	};
}

const datePattern = /\d{1,4}([-./])\d{1,2}\1\d{1,4}/g;
const numberPattern = /\d+(?:[.,]\d+)*/g;
const quotePattern = /"([^"\n]{2,300})"|“([^”\n]{2,300})”|«([^»\n]{2,300})»|「([^」\n]{2,300})」/g;

function measureGrounding(text: string, chunks: readonly RetrievedChunk[]): Measured {
	// numbers of citations and of list items aren't statements
	const reply = text.replace(marker, ' ').replace(/^[ \t]*\d{1,3}[.)][ \t]/gm, ' ');
	const context = chunks.map(({ content }) => content).join('\n');
	const known = new Set(listFigures(context).map(({ value }) => value));
	const figures = listFigures(reply).map(({ shown, value }) => ({ shown, isKnown: known.has(value) }));
	const folded = foldSpaces(context);
	const quotes = [...reply.matchAll(quotePattern)].map(([shown, ...groups]) => ({
		shown,
		isKnown: folded.includes(foldSpaces(groups.find(group => group !== undefined) ?? '')),
	}));
	const all = [...figures, ...quotes];
	const missing = all.filter(({ isKnown }) => !isKnown).map(({ shown }) => shown);
	return { value: all.length === 0 ? undefined : 1 - missing.length / all.length, missing };
}

/** Lists dates and numbers, with a value that is the same in any notation. */
function listFigures(text: string): readonly { readonly shown: string; readonly value: string }[] {
	const dates = [...text.matchAll(datePattern)].map(([shown]) => ({
		shown,
		value: shown
			.split(/[-./]/)
			.map(Number)
			.sort((a, b) => a - b)
			.join('-'),
	}));
	const numbers = [...text.replace(datePattern, ' ').matchAll(numberPattern)].map(([shown]) => ({ shown, value: readNumber(shown) }));
	return [...dates, ...numbers];
}

/** Reads a number with separators. The last one is decimal unless three digits follow it or it occurs twice. */
function readNumber(text: string): string {
	const at = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
	const isDecimal = at >= 0 && text.length - at !== 4 && text.indexOf(text[at]!) === at;
	const digits = (part: string) => part.replace(/[.,]/g, '');
	return String(Number(isDecimal ? `${digits(text.slice(0, at))}.${text.slice(at + 1)}` : digits(text)));
}

/** Returns the reply among outputs: `answer` or `text`, or else all their strings. */
function getReplyText(value: unknown): string {
	if (typeof value === 'string') {
		return value;
	}
	const named = isRecord(value) ? [value['answer'], value['text']].find(each => typeof each === 'string') : undefined;
	return named ?? (typeof value === 'object' && value !== null ? Object.values(value).map(getReplyText).join('\n') : '');
}
