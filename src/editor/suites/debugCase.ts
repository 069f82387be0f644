import { getNodeValue } from 'jsonc-parser';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { Secrets } from '#runs/request/secrets.ts';
import { type SuiteLaunch, sealed } from '#runs/request/suiteLaunch.ts';
import { rowAt, rowOrdinal } from '#suites/datasets/datasetCases.ts';
import { CaseMaker, type CaseWork, type RequestFields } from '#suites/running/caseWork.ts';
import type { SuiteService } from '#suites/running/suiteService.ts';
import type { Suite, SuiteCase, SuiteTarget } from '#suites/suite.ts';
import { debugType } from '../platform/names.ts';

/**
 * Debugs a case by its number: the run file that it is, else its request, with what stands in for nodes. Of a row of the dataset the request is made as a
 * batch makes it. Throws a {@link Problem} where there is no such case or no agent in it, and rejects as the making of a request does.
 *
 * @param service the connection that rows are made ready for; asked for only where a row is meant
 */
export async function debugCase(suite: Suite, ordinal: number, service: () => Promise<SuiteService>): Promise<void> {
	const found = suite.cases.find(each => each.ordinal === ordinal);
	const configuration = found ? createCaseConfiguration(suite, found) : await prepareRowConfiguration(suite, ordinal, service);
	const file = vscode.Uri.file(suite.file);
	await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(file), configuration);
}

/** The launch configuration of a case, as the debugger of agents takes it. Throws a {@link Problem} where it runs no agent. */
function createCaseConfiguration(suite: Suite, { name, runFile, request, mocks, target }: SuiteCase): vscode.DebugConfiguration {
	const model = requireAgent(target, name);
	return runFile === undefined
		? createLaunchConfiguration(name, suite.file, { body: { model, ...(getNodeValue(request) as object) }, mocks })
		: createLaunchConfiguration(name, runFile, { mocks });
}

/** The launch configuration of a row whose request was made: nothing in its texts is filled in once more. */
function createRowConfiguration(
	suite: Suite,
	{ name, mocks, target, user }: CaseWork,
	values: RequestFields,
	secrets: Secrets,
): vscode.DebugConfiguration {
	const model = requireAgent(target, name);
	const request = { ...values, model, user, response_mode: 'streaming' } as const;
	return createLaunchConfiguration(name, suite.file, { body: { model }, values: request, secrets: [...secrets], mocks });
}

async function prepareRowConfiguration(
	suite: Suite,
	ordinal: number,
	service: () => Promise<SuiteService>,
): Promise<vscode.DebugConfiguration> {
	const row = suite.dataset && (await rowAt(suite, ordinal - rowOrdinal(suite, 0)));
	if (!row) {
		throw new Problem('no-case', vscode.l10n.t('{0} has no such case any more: look at its cases anew.', suite.name));
	}
	if ('problem' in row) {
		throw new Problem('no-case', `${suite.dataset!.file}:${row.line}: ${row.problem}`);
	}
	const cases = new CaseMaker(suite, await service());
	const work = cases.ofRow(row);
	const request = await work.request();
	return createRowConfiguration(suite, work, request, cases.secrets);
}

function createLaunchConfiguration(name: string, runFile: string, { mocks = {}, ...launch }: SuiteLaunch): vscode.DebugConfiguration {
	return {
		type: debugType,
		request: 'launch',
		// a name is a text in which the editor looks for variables, too
		name: name.replaceAll('${', '$ {'),
		runFile,
		sealed: sealed({ ...launch, ...(Object.keys(mocks).length > 0 && { mocks }) }),
	};
}

function requireAgent(target: SuiteTarget, name: string): string {
	if (target.kind !== 'agent') {
		throw new Problem('no-agent', vscode.l10n.t('“{0}” asks a model without an agent: there is nothing to debug.', name));
	}
	return target.model;
}
