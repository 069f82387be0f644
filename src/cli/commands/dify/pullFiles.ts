import path from 'node:path';
import { writeAppFile } from '#dify/files/appFile.ts';
import { planPull } from '#dify/pullPlan.ts';
import type { PullKind, PullPlan } from '#dify/syncTypes.ts';
import { CliFault, type ExitCode, exitCodes } from '../../cliFault.ts';
import { type DifyWork, eachFile, type FileResult, readFile } from './difyWork.ts';

/** `dify pull`: the apps of files as they are there. What was changed here is overwritten with `--overwrite` alone, and kept as a backup. */
export async function pullFiles(work: DifyWork): Promise<ExitCode> {
	const { given, files } = work;
	const app = given.text('app');
	if (app !== undefined && files.length !== 1) {
		throw new CliFault('--app: expected one file beside it, the one to pull the app into.');
	}
	return eachFile(work, file => pullFile(work, file, app));
}

async function pullFile(work: DifyWork, file: string, app: string | undefined): Promise<FileResult> {
	const { given, backups, signal } = work;
	const { text, link } = await readFile(file);
	const appId = app ?? link?.link.app_id;
	if (appId === undefined) {
		throw new CliFault(`${path.relative('', file)}: it belongs to no app of Dify yet: expected --app ID.`);
	}
	const management = await work.open(given.text('workspace') ?? link?.link.workspace_id);
	if (app === undefined && link && link.link.origin !== management.deployment.origin) {
		throw new CliFault(
			`${path.relative('', file)}: it is of an app at ${link.link.origin}, and the token is for ${management.deployment.origin}.`,
		);
	}
	const plan = await planPull({ management, appId, signal, ...(text === undefined ? {} : { here: { text, link: link?.link } }) });
	const overwrites = plan.losesHere && given.has('overwrite');
	const isWritten = !plan.losesHere || overwrites;
	const backup = isWritten
		? await writeAppFile({ file, expected: text, text: plan.text, link: plan.link, name: plan.app.name, backups })
		: undefined;
	const { result, message, code } = overwrites ? overwritten : outcomeOf(plan);
	return { file, result, message, code, difference: shown(plan), backups: [backup] };
}

function outcomeOf({ kind, losesHere }: PullPlan): Outcome {
	return losesHere && (kind === 'layout' || kind === 'update') ? moved : outcomes[kind];
}

/** What changes, or would. */
function shown({ kind, difference }: PullPlan): PullPlan['difference'] {
	return kind === 'same' || kind === 'new' ? undefined : difference;
}

type Outcome = Pick<FileResult, 'result' | 'message' | 'code'>;

const { passed, checkFailed } = exitCodes;
const overwritten = { result: 'overwritten', message: 'overwritten with what is there', code: passed } as const;
const moved = { result: 'moved-here', message: 'nodes were moved here, not overwritten; --overwrite does it', code: checkFailed } as const;
const outcomes: Readonly<Record<PullKind, Outcome>> = {
	new: { result: 'pulled', message: 'pulled', code: passed },
	same: { result: 'same', message: 'the same here and there', code: passed },
	layout: { result: 'pulled', message: 'pulled', code: passed },
	update: { result: 'pulled', message: 'pulled', code: passed },
	'keeps-here': { result: 'changed-here', message: 'changed here, nothing newer there; --overwrite undoes this', code: passed },
	conflict: { result: 'changed-both', message: 'changed here and there, not overwritten; --overwrite does it', code: checkFailed },
	unlinked: { result: 'unlinked', message: 'there is another file already, not overwritten; --overwrite does it', code: checkFailed },
	'other-app': { result: 'other-app', message: 'the file is of another app, not overwritten; --overwrite does it', code: checkFailed },
};
