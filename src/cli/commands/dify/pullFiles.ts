import path from 'node:path';
import { writeAppFile } from '#dify/files/appFile.ts';
import { planPull } from '#dify/pullPlan.ts';
import type { PullKind, PullPlan } from '#dify/syncTypes.ts';
import { CliFault, type ExitCode, exitCodes } from '../../cliFault.ts';
import { getFileRoot } from '../../fileRoot.ts';
import { type DifyWork, type FileResult, processFiles, readFile } from './difyWork.ts';

/** `dify pull`: updates files from their apps. Local changes are only overwritten with `--overwrite`, after saving a backup. */
export async function pullFiles(work: DifyWork): Promise<ExitCode> {
	const { given, files } = work;
	const app = given.getValue('app');
	if (app !== undefined && files.length !== 1) {
		throw new CliFault('--app: expected exactly one file, the one to pull the app into.');
	}
	return processFiles(work, file => pullFile(work, file, app));
}

async function pullFile(work: DifyWork, file: string, app: string | undefined): Promise<FileResult> {
	const { given, backups, signal } = work;
	const { text, link } = await readFile(file);
	const appId = app ?? link?.link.app_id;
	if (appId === undefined) {
		throw new CliFault(`${path.relative('', file)}: not linked to a Dify app yet. Expected --app ID.`);
	}
	const management = await work.open(given.getValue('workspace') ?? link?.link.workspace_id);
	if (app === undefined && link && link.link.origin !== management.deployment.origin) {
		throw new CliFault(
			`${path.relative('', file)}: belongs to an app at ${link.link.origin}, but the token is for ${management.deployment.origin}.`,
		);
	}
	const plan = await planPull({ management, appId, signal, ...(text === undefined ? {} : { here: { text, link: link?.link } }) });
	const overwrites = plan.losesHere && given.has('overwrite');
	const isWritten = !plan.losesHere || overwrites;
	const backup = isWritten
		? await writeAppFile({ file, root: getFileRoot(file), expected: text, text: plan.text, link: plan.link, name: plan.app.name, backups })
		: undefined;
	const { result, message, code } = overwrites ? overwritten : describePull(plan);
	return { file, result, message, code, difference: getShownDifference(plan), backups: [backup] };
}

function describePull({ kind, losesHere }: PullPlan): Outcome {
	return losesHere && (kind === 'layout' || kind === 'update') ? moved : outcomes[kind];
}

/** Returns the differences to show. */
function getShownDifference({ kind, difference }: PullPlan): PullPlan['difference'] {
	return kind === 'same' || kind === 'new' ? undefined : difference;
}

type Outcome = Pick<FileResult, 'result' | 'message' | 'code'>;

const { passed, checkFailed } = exitCodes;
const overwritten = { result: 'overwritten', message: 'overwritten with the version in Dify', code: passed } as const;
const moved = {
	result: 'moved-here',
	message: 'not overwritten: nodes were moved locally; use --overwrite to discard this',
	code: checkFailed,
} as const;
const outcomes: Readonly<Record<PullKind, Outcome>> = {
	new: { result: 'pulled', message: 'pulled', code: passed },
	same: { result: 'same', message: 'no differences', code: passed },
	layout: { result: 'pulled', message: 'pulled', code: passed },
	update: { result: 'pulled', message: 'pulled', code: passed },
	'keeps-here': {
		result: 'changed-here',
		message: 'changed locally, nothing newer in Dify; use --overwrite to discard the changes',
		code: passed,
	},
	conflict: {
		result: 'changed-both',
		message: 'not overwritten: changed locally and in Dify; use --overwrite to discard the local changes',
		code: checkFailed,
	},
	unlinked: {
		result: 'unlinked',
		message: 'not overwritten: another file already exists; use --overwrite to replace it',
		code: checkFailed,
	},
	'other-app': {
		result: 'other-app',
		message: 'not overwritten: the file belongs to another app; use --overwrite to replace it',
		code: checkFailed,
	},
};
