import { getNodeValue } from 'jsonc-parser';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { RecordingPlace } from '#contract/recordings/recordings.ts';
import type { Secrets } from '#runs/request/secrets.ts';
import { type SuiteLaunch, sealLaunch } from '#runs/request/suiteLaunch.ts';
import { getRowOrdinal, readDatasetRow } from '#suites/datasets/datasetCases.ts';
import { CaseMaker, type CaseWork, type RequestFields } from '#suites/running/caseWork.ts';
import type { SuiteService } from '#suites/running/suiteService.ts';
import type { Suite, SuiteCase, SuiteTarget } from '#suites/suite.ts';
import { debugType } from '../platform/names.ts';

/**
 * Debugs a case with its mocks: either its run file or its request. For a row of the dataset, the request is created as in a batch. Throws
 * a {@link Problem} if the case doesn't exist or has no agent, and rejects if the request can't be created.
 *
 * @param service opens the connection that rows are prepared for; called only for rows
 */
export async function debugCase(suite: Suite, ordinal: number, service: () => Promise<SuiteService>): Promise<void> {
	const found = suite.cases.find(each => each.ordinal === ordinal);
	const configuration = found ? createCaseConfiguration(suite, found) : await prepareRowConfiguration(suite, ordinal, service);
	const file = vscode.Uri.file(suite.file);
	await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(file), configuration);
}

/** Returns the launch configuration of a case. Throws a {@link Problem} if it doesn't run an agent, or is an attack. */
function createCaseConfiguration(suite: Suite, { name, runFile, request, mocks, target, attack }: SuiteCase): vscode.DebugConfiguration {
	if (attack) {
		throw new Problem('attack', vscode.l10n.t("Can't debug '{0}' because it's an attack. Debug the attacked test case instead.", name));
	}
	const model = requireAgent(target, name);
	const launch = { mocks, recorded: createRecorded(suite, { case: name }) };
	return runFile === undefined
		? createLaunchConfiguration(name, suite.file, { body: { model, ...(getNodeValue(request) as object) }, ...launch })
		: createLaunchConfiguration(name, runFile, launch);
}

/** Returns the launch configuration of a row whose request has already been created, so that no placeholder is filled in twice. */
function createRowConfiguration(
	suite: Suite,
	{ name, row, mocks, target, user }: CaseWork,
	values: RequestFields,
	secrets: Secrets,
): vscode.DebugConfiguration {
	const model = requireAgent(target, name);
	const request = { ...values, model, user, response_mode: 'streaming' } as const;
	const recorded = createRecorded(suite, { case: name, ...(row !== undefined && { row }) });
	return createLaunchConfiguration(name, suite.file, { body: { model }, values: request, secrets: [...secrets], mocks, recorded });
}

function createRecorded({ file, recordings: settings }: Suite, place: RecordingPlace): NonNullable<SuiteLaunch['recorded']> {
	return { file, place, ...(settings && { settings }) };
}

async function prepareRowConfiguration(
	suite: Suite,
	ordinal: number,
	service: () => Promise<SuiteService>,
): Promise<vscode.DebugConfiguration> {
	const row = suite.dataset && (await readDatasetRow(suite, ordinal - getRowOrdinal(suite, 0)));
	if (!row) {
		throw new Problem('no-case', vscode.l10n.t("This test case no longer exists in '{0}'. Refresh the list of test cases.", suite.name));
	}
	if ('problem' in row) {
		throw new Problem('no-case', `${suite.dataset!.file}:${row.line}: ${row.problem}`);
	}
	const cases = new CaseMaker(suite, await service());
	const work = cases.createRowWork(row);
	const request = await work.createRequest();
	return createRowConfiguration(suite, work, request, cases.secrets);
}

function createLaunchConfiguration(name: string, runFile: string, { mocks = {}, ...launch }: SuiteLaunch): vscode.DebugConfiguration {
	return {
		type: debugType,
		request: 'launch',
		// VS Code would substitute variables in the name
		name: name.replaceAll('${', '$ {'),
		runFile,
		sealed: sealLaunch({ ...launch, ...(Object.keys(mocks).length > 0 && { mocks }) }),
	};
}

function requireAgent(target: SuiteTarget, name: string): string {
	if (target.kind !== 'agent') {
		throw new Problem('no-agent', vscode.l10n.t("Can't debug '{0}' because it calls a model directly. Only agents can be debugged.", name));
	}
	return target.model;
}
