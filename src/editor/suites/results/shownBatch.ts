import type { Listing, MatrixView, ResultRow } from '#pages/results/resultsMessages.ts';
import type { CaseResult } from '#suites/results/caseResult.ts';
import type { Baseline } from '#suites/results/comparison.ts';
import { compareVariants } from '#suites/variants/compareVariants.ts';
import { createMatrixLines, filterMatrixLines, type MatrixLine } from './matrixLines.ts';
import { ChangedResults, type IndexedResult, ResultIndex } from './resultIndex.ts';
import { ResultSearch } from './resultSearch.ts';
import { toMatrixRow, toMatrixView, toResultRow } from './resultViews.ts';
import { type ListedLine, sortResults } from './sortResults.ts';

/** The results of one batch as a list that is filtered, sorted, grouped, and compared with a baseline. */
export class ShownBatch {
	readonly file: string;
	readonly #baseline: Baseline | undefined;
	readonly #index: ResultIndex;
	#search: ResultSearch;
	/** Version of the index that the search and the summary belong to. */
	#version = 0;
	/** Groups that are collapsed. */
	readonly #folded = new Set<string>();
	#lines: readonly ListedLine[] = [];
	#listing: Listing;
	#generation: number;
	#listed = 0;
	/** All cases of a comparison of variants. */
	#matrixLines: readonly MatrixLine[] = [];
	/** Summary of the comparison, and the number of bytes that it was made from. */
	#summary: Promise<MatrixView> | undefined;
	#summarized = 0;
	#searching = new AbortController();

	private constructor(file: string, listing: Listing, generation: number, baseline: Baseline | undefined) {
		this.file = file;
		this.#baseline = baseline;
		this.#listing = listing;
		this.#generation = generation;
		this.#index = new ResultIndex(file, baseline);
		this.#search = new ResultSearch(file);
	}

	/**
	 * Opens the results in a file, and compares them with a baseline if there is one. Resolves with the first results. {@link readNewResults} reads
	 * the others. `generation` is the generation of the list that is replaced.
	 */
	static async openBatch(file: string, listing: Listing, baseline: Baseline | undefined, generation: number): Promise<ShownBatch> {
		const shown = new ShownBatch(file, listing, generation, baseline?.file === file ? undefined : baseline);
		await shown.readNewResults();
		return shown;
	}

	/** File of the baseline that the results are compared with. */
	get baseline(): string | undefined {
		return this.#baseline?.file;
	}
	get generation(): number {
		return this.#generation;
	}
	get count(): number {
		return this.#lines.length;
	}
	get listing(): Listing {
		return this.#listing;
	}
	get entries(): readonly IndexedResult[] {
		return this.#index.entries;
	}
	get head() {
		return this.#index.head;
	}
	get summary() {
		return this.#index.summary;
	}
	/** True if all results that the file contained when it was last read are listed. */
	get isWhole(): boolean {
		return this.#index.isWhole;
	}

	/** Reads new results, or the next part of a long file, and updates the list. */
	async readNewResults(): Promise<void> {
		// the file of a batch that has just started doesn't exist yet
		const hasNewResults = await this.#index.updateIndex().catch(ignoreMissingFile);
		if (this.#version !== this.#index.version) {
			this.#version = this.#index.version;
			this.#search = new ResultSearch(this.file);
			this.#summarized = 0;
		}
		if (hasNewResults || this.#listed === 0) {
			await this.#updateList();
		}
	}

	/** Aborts the current search because another listing was requested. */
	abortSearch(): void {
		this.#searching.abort();
	}

	/** Collapses or expands a group. */
	async toggleGroup(group: string): Promise<void> {
		if (!this.#folded.delete(group)) {
			this.#folded.add(group);
		}
		await this.#updateList();
	}

	/** Changes how the results are filtered, sorted and grouped. */
	async setListing(listing: Listing): Promise<void> {
		if (listing.grouped !== this.#listing.grouped) {
			this.#folded.clear();
		}
		this.#listing = listing;
		await this.#updateList();
	}

	/** Returns the rows from `from` up to, but not including, `to`. If the file was replaced since, those of the new one. */
	async readRows(from: number, to: number): Promise<ResultRow[]> {
		try {
			return await this.#readRows(from, to);
		} catch (error) {
			if (!(error instanceof ChangedResults)) {
				throw error;
			}
			await this.readNewResults();
			return this.#readRows(from, to);
		}
	}

	async #readRows(from: number, to: number): Promise<ResultRow[]> {
		const lines = this.#lines.slice(from, to);
		const entries = lines.flatMap(listEntries);
		const results = new Map<IndexedResult, CaseResult>();
		for (const [at, result] of (entries.length === 0 ? [] : await this.#index.readResults(entries)).entries()) {
			results.set(entries[at]!, result);
		}
		return lines.map(line =>
			'entry' in line
				? toResultRow(results.get(line.entry)!, line.entry)
				: 'cells' in line
					? toMatrixRow(line, entry => results.get(entry)!)
					: { id: `group ${line.group}`, kind: 'group', text: line.group, count: line.count, folded: line.folded },
		);
	}

	/** Returns the complete result of a case. */
	async readResult(id: string): Promise<CaseResult | undefined> {
		const entry = this.entries.find(({ ordinal }) => String(ordinal) === id);
		return entry && (await this.#index.readResults([entry]))[0];
	}

	/** Returns the baseline's result of the same case. */
	async readBaselineResult(result: CaseResult): Promise<CaseResult | undefined> {
		return this.#baseline?.readResultOf(result);
	}

	/** Yields the listed results in order. */
	async *streamListedResults(): AsyncGenerator<CaseResult, void> {
		const entries = this.#lines.flatMap(listEntries);
		for (let at = 0; at < entries.length; at += 100) {
			yield* await this.#index.readResults(entries.slice(at, at + 100));
		}
	}

	/** Compares the variants of the batch; `undefined` if it has none. */
	async summarizeVariants(): Promise<MatrixView | undefined> {
		const variants = this.head?.matrix;
		if (variants && this.#summarized !== this.#index.end) {
			this.#summarized = this.#index.end;
			const lines = this.#matrixLines;
			this.#summary = compareVariants(this.#index.entries, variants).then(comparison => toMatrixView(comparison, lines, variants));
		}
		return this.#summary;
	}

	async #updateList(): Promise<void> {
		this.#searching.abort();
		const searching = new AbortController();
		this.#searching = searching;
		const text = this.#listing.text.trim();
		const holding = text === '' ? undefined : await this.#search.findMatches(text, this.#index.end, searching.signal);
		if (searching.signal.aborted) {
			return;
		}
		const variants = this.head?.matrix;
		this.#matrixLines = variants ? createMatrixLines(this.#index.entries, variants) : [];
		const lines = variants
			? filterMatrixLines(this.#matrixLines, variants, this.#listing, holding)
			: await sortResults(this.#index.entries, this.#listing, { matches: holding, folded: this.#folded });
		if (searching.signal.aborted) {
			return;
		}
		this.#listed++;
		const before = this.#lines;
		this.#lines = lines;
		// rows appended at the end don't move the others
		if (before.length === 0 || before.length > lines.length || !isPrefix(before, lines)) {
			this.#generation++;
		}
	}
}

function isPrefix(before: readonly ListedLine[], lines: readonly ListedLine[]): boolean {
	return before.every((line, at) => {
		const now = lines[at]!;
		return (
			('entry' in line && 'entry' in now && line.entry === now.entry) ||
			('cells' in line && 'cells' in now && line.cells.every((cell, place) => cell === now.cells[place]))
		);
	});
}

function listEntries(line: ListedLine): readonly IndexedResult[] {
	return 'entry' in line ? [line.entry] : 'cells' in line ? line.cells.filter(cell => cell !== undefined) : [];
}

function ignoreMissingFile(error: unknown): boolean {
	if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
		return false;
	}
	throw error;
}
