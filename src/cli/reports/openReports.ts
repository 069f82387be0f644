import path from 'node:path';
import type { AgentSummary } from '#contract/agents.ts';
import type { GivenArguments } from '../arguments/givenArguments.ts';
import { CliFault } from '../cliFault.ts';
import { findStats } from '../foundFiles.ts';
import { ClosingReport } from './closingReport.ts';
import { CommentReport } from './commentReport.ts';
import { CoverageReport } from './coverageReport.ts';
import { GithubReport } from './githubReport.ts';
import { JunitReport } from './junitReport.ts';
import { MarkdownReport } from './markdownReport.ts';
import { ReportFile } from './reportFile.ts';
import type { SuiteReport } from './suiteReport.ts';

/** Options that name the file of a report. */
const fileOptions = ['junit', 'markdown', 'comment', 'coverage'] as const;
/** Options that name a file that the command reads. */
const inputOptions = ['baseline', 'judge-again', 'recording', 'config', 'key-file'] as const;

/**
 * Opens the requested reports as one report. Opens their files before anything runs, so that errors are found early. Rejects with a
 * `CliFault`.
 *
 * @param agents the service's agents, with their files
 * @param inputs paths of other files that the command reads or adds to
 */
export async function openReports(given: GivenArguments, agents: readonly AgentSummary[], inputs: readonly string[]): Promise<SuiteReport> {
	const { junit, markdown, comment, coverage } = Object.fromEntries(fileOptions.map(name => [name, given.getValue(name)]));
	refuseDuplicateFiles({ junit, markdown, comment, coverage });
	const named = inputOptions.map(name => given.getValue(name)).filter(file => file !== undefined);
	refuseSourceFiles({ junit, markdown, comment, coverage }, [...inputs, ...named]);
	const reports: SuiteReport[] = [];
	if (junit !== undefined) {
		reports.push(new JunitReport(await ReportFile.openFile('junit', junit)));
	}
	if (markdown !== undefined) {
		reports.push(new MarkdownReport(await ReportFile.openFile('markdown', markdown, { append: isJobSummary(markdown) })));
	}
	if (comment !== undefined) {
		reports.push(new CommentReport(await ReportFile.openFile('comment', comment)));
	}
	if (coverage !== undefined) {
		reports.push(new CoverageReport(await ReportFile.openFile('coverage', coverage), agents));
	}
	if (!given.has('json')) {
		reports.push(new ClosingReport());
	}
	if (given.has('github')) {
		reports.push(new GithubReport(given.has('json') ? process.stderr : process.stdout));
	}
	return {
		onFaults: errors => callEachReport(reports, async report => report.onFaults?.(errors)),
		startSuite: (suite, summary) => callEachReport(reports, report => report.startSuite(suite, summary)),
		onResult: result => callEachReport(reports, report => report.onResult(result)),
		onComparison: comparison => callEachReport(reports, async report => report.onComparison?.(comparison)),
		onAttacks: summary => callEachReport(reports, async report => report.onAttacks?.(summary)),
		onJudges: judges => callEachReport(reports, async report => report.onJudges?.(judges)),
		onVerdict: verdict => callEachReport(reports, async report => report.onVerdict?.(verdict)),
		endSuite: () => callEachReport(reports, report => report.endSuite()),
		close: () => callEachReport(reports, report => report.close()),
	};
}

/** Refuses two reports in one file, because they would overwrite each other. Throws a {@link CliFault}. */
function refuseDuplicateFiles(files: Readonly<Record<string, string | undefined>>): void {
	const taken = new Map<string, string>();
	for (const [option, file] of Object.entries(files)) {
		const other = file === undefined ? undefined : taken.get(identifyFile(file));
		if (other !== undefined) {
			throw new CliFault(`--${option} ${file}: --${other} writes to the same file. Choose another file.`);
		}
		if (file !== undefined) {
			taken.set(identifyFile(file), option);
		}
	}
}

/**
 * Refuses reports in suites, run files, agents and other inputs: `--coverage my.suite.json` would overwrite the suite. Throws a {@link
 * CliFault}.
 */
function refuseSourceFiles(files: Readonly<Record<string, string | undefined>>, inputs: readonly string[]): void {
	const taken = new Set(inputs.map(identifyFile));
	for (const [option, file] of Object.entries(files)) {
		if (file !== undefined && (/\.(?:suite|run)\.json$|\.ya?ml$/i.test(file) || taken.has(identifyFile(file)))) {
			throw new CliFault(`--${option} ${file}: the report would overwrite this file. Expected another file to write to.`);
		}
	}
}

/** Returns a key that is the same for all paths of a file, such as links to it, or other letter case where the file system ignores case. */
function identifyFile(file: string): string {
	const found = findStats(file);
	return found?.isFile() ? `${found.dev} ${found.ino}` : path.resolve(file);
}

/** True if the file is the job summary of GitHub Actions, which reports append to. */
function isJobSummary(file: string): boolean {
	const summary = process.env['GITHUB_STEP_SUMMARY'];
	return summary !== undefined && summary !== '' && path.resolve(file) === path.resolve(summary);
}

async function callEachReport(reports: readonly SuiteReport[], tell: (report: SuiteReport) => Promise<void>): Promise<void> {
	for (const report of reports) {
		await tell(report);
	}
}
