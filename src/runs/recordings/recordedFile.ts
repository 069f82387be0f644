import path from 'node:path';
import { parse } from 'jsonc-parser';
import { type FileScope, resolveInsideToWrite } from '#base/files/fileScope.ts';
import { getField } from '#base/records/plainValues.ts';
import { type RecordingMode, type RecordingSettings, recordingSettingsSchema } from '#contract/recordings/recordings.ts';
import { getPartsFolder, getRecordingFile } from './recordingFile.ts';

/** Returns the settings for recordings in the text of a run file or suite. Invalid ones are reported when the file is read. */
export function readRecordingSettings(text: string): RecordingSettings | undefined {
	return recordingSettingsSchema.optional().safeParse(getField(parse(text), 'recordings')).data;
}

/** Returns the path of the recording of a run file or suite. Throws an `OutsideScope` if it's outside the scope. */
export function resolveRecordingFile(file: string, settings: RecordingSettings | undefined, scope: FileScope): string {
	const recording = resolveInsideToWrite(settings?.file ?? getRecordingFile(path.resolve(file)), scope);
	resolveInsideToWrite(getPartsFolder(recording), scope);
	return recording;
}

/** Returns the mode that a file's settings ask for; undefined if they don't mention recordings. */
export function getSettingsMode(settings: RecordingSettings | undefined): RecordingMode | undefined {
	return settings && (settings.mode ?? 'once');
}
