import { formatRelativePath } from '#base/files/relativePath.ts';
import { formatQuantity } from '#base/text/quantity.ts';
import type { CaseResult, CheckResult, SuiteSummary } from '#suites/results/caseResult.ts';
import type { Suite, SuiteFault } from '#suites/suite.ts';
import { formatFailure, formatFailureTitle, formatPosition, getCaseTitle, getFailedChecks } from './failureText.ts';
import type { ReportFile } from './reportFile.ts';
import type { SuiteReport } from './suiteReport.ts';

/** Maximum number of problems listed per file. */
const mostProblems = 100;

/**
 * Writes results as JUnit XML in the form that the parsers of GitLab, Jenkins, Azure and npm accept: a `testsuite` per suite and a
 * `testcase` per case, with `failure` if a check failed and `error` if the case couldn't run. Writes results as they arrive, so that memory
 * doesn't grow with the number of cases. A suite that can't be read, or doesn't pass its gate, is a separate `testsuite`: without it, tools
 * that read only the report would show all tests as passed.
 */
export class JunitReport implements SuiteReport {
	readonly #file: ReportFile;
	/** Name and file of the current suite. */
	#suite = '';
	#suiteFile = '';
	#begun = false;

	constructor(file: ReportFile) {
		this.#file = file;
	}

	async onFaults(errors: readonly SuiteFault[]): Promise<void> {
		for (const [file, faults] of Map.groupBy(errors, each => each.file)) {
			const lines = faults.slice(0, mostProblems).map(fault => `${formatPosition(fault)}: ${fault.message}`);
			await this.#writeProblem('error', { name: 'suite', suite: formatRelativePath(file), file }, lines);
		}
	}

	async onVerdict({ reasons }: { readonly reasons: readonly string[] }): Promise<void> {
		if (reasons.length > 0) {
			await this.#writeProblem('failure', { name: 'gate', suite: this.#suite, file: this.#suiteFile }, reasons);
		}
	}

	async startSuite(suite: Suite, summary: SuiteSummary): Promise<void> {
		await this.#writeHead();
		this.#suite = suite.name;
		this.#suiteFile = suite.file;
		const { cases, failed, notRun, faults, seconds, tokens, judgeTokens, userTokens = 0, cost, currency } = summary;
		const counts = {
			name: suite.name,
			tests: cases + Math.sign(faults),
			failures: failed,
			errors: notRun + Math.sign(faults),
			skipped: 0,
			time: seconds.toFixed(3),
			file: formatRelativePath(suite.file),
		};
		const properties = {
			tokens,
			...(judgeTokens > 0 && { judge_tokens: judgeTokens }),
			...(userTokens > 0 && { user_tokens: userTokens }),
			...(cost > 0 && { cost: `${cost}${currency === undefined ? '' : ` ${currency}`}` }),
		};
		const listed = Object.entries(properties).map(([name, value]) => `<property${formatAttributes({ name, value })}/>`);
		await this.#file.write(`<testsuite${formatAttributes(counts)}>\n<properties>${listed.join('')}</properties>\n`);
		if (faults > 0) {
			// readers of the report see only cases
			const head = formatAttributes({ name: 'dataset', classname: suite.name, time: '0.000', file: counts.file });
			const error = formatAttributes({ message: `${formatQuantity(faults, 'row')} couldn't be read`, type: 'not-run' });
			await this.#file.write(`<testcase${head}><error${error}></error></testcase>\n`);
		}
	}

	async onResult(result: CaseResult): Promise<void> {
		const { place, seconds } = result;
		const head = formatAttributes({
			name: getCaseTitle(result),
			classname: this.#suite,
			time: seconds.toFixed(3),
			file: formatRelativePath(place.file),
			line: place.line,
		});
		const content = formatContent(result);
		await this.#file.write(content === '' ? `<testcase${head}/>\n` : `<testcase${head}>${content}</testcase>\n`);
	}

	async endSuite(): Promise<void> {
		await this.#file.write('</testsuite>\n');
	}

	async close(): Promise<void> {
		await this.#writeHead();
		await this.#file.write('</testsuites>\n');
		await this.#file.close();
	}

	/** Writes a `testsuite` with one case, for a problem of a whole suite. */
	async #writeProblem(
		kind: 'error' | 'failure',
		{ name, suite, file }: { readonly name: string; readonly suite: string; readonly file: string },
		lines: readonly string[],
	): Promise<void> {
		await this.#writeHead();
		const counts = { tests: 1, failures: Number(kind === 'failure'), errors: Number(kind === 'error'), skipped: 0 };
		const about = { time: '0.000', file: formatRelativePath(file) };
		const content = `<${kind}${formatAttributes({ message: lines[0] ?? '', type: name })}>${escapeXml(lines.join('\n'))}</${kind}>`;
		await this.#file.write(
			`<testsuite${formatAttributes({ name: suite, ...counts, ...about })}>\n` +
				`<testcase${formatAttributes({ name, classname: suite, ...about })}>${content}</testcase>\n</testsuite>\n`,
		);
	}

	async #writeHead(): Promise<void> {
		if (!this.#begun) {
			this.#begun = true;
			await this.#file.write('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n');
		}
	}
}

function formatContent(result: CaseResult): string {
	const checks = getFailedChecks(result);
	const run = result.run?.id === undefined ? '' : `<system-out>run ${escapeXml(result.run.id)}</system-out>`;
	switch (result.outcome) {
		case 'failed':
			return `<failure${formatAttributes({ message: formatFailureTitle(result), type: getFailureType(checks) })}>${escapeXml(formatFailure(result))}</failure>${run}`;
		case 'not-run':
			return `<error${formatAttributes({ message: formatFailureTitle(result), type: 'not-run' })}>${escapeXml(formatFailure(result))}</error>${run}`;
		default:
			return run;
	}
}

function getFailureType(checks: readonly CheckResult[]): string {
	return checks[0]?.kind ?? 'failed';
}

function formatAttributes(values: Readonly<Record<string, string | number>>): string {
	return Object.entries(values)
		.map(([name, value]) => ` ${name}="${escapeXml(String(value)).replace(/["\t\n\r]/g, quoted => `&#${quoted.charCodeAt(0)};`)}"`)
		.join('');
}

/** Escapes text for XML 1.0. Replaces characters that XML doesn't allow, such as control characters, with U+FFFD. */
function escapeXml(text: string): string {
	return text
		.toWellFormed()
		.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;');
}
