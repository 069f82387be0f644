import * as z from 'zod';

/**
 * Modes of a recording in the gateway: `none` replays and never calls out, `new` replays and records what is missing, `all` records
 * everything again, `drift` replays and compares recorded replies with live ones. The modes `once` and `off` of files and options are
 * resolved before a recording is opened.
 */
const openModes = ['none', 'new', 'all', 'drift'] as const;
export type OpenRecordingMode = (typeof openModes)[number];

/** Maximum number of paths that aren't compared: each is searched in each request. */
const mostIgnored = 100;
/** Maximum number of secrets of a run and of their characters: all texts are searched for each of them in many forms. */
const secretLimits = { count: 500, characters: 100_000 };

/** Body of `POST /v1/agent/recordings` (not in the contract). The client that opens a recording owns and writes its file. */
export const openRecordingSchema = z.strictObject({
	mode: z.enum(openModes),
	text: z.string().default('').describe('Content of the recording file. Empty for a new one.'),
	folder: z.string().min(1).optional().describe('Absolute path of the folder with the large values of the file.'),
	drift: z.number().int().min(1).optional().describe('Maximum number of replies to compare with the mode `drift`. Default: all.'),
	ignore: z
		.array(z.string().min(1))
		.max(mostIgnored)
		.default([])
		.describe('Paths in requests that are not compared, for example `messages[0].content`.'),
	timing: z
		.union([z.enum(['none', 'recorded']), z.number().min(0).max(60_000)])
		.default('none')
		.describe('Pace of replayed streams: at once, as recorded, or milliseconds per chunk.'),
});
export type OpenRecordingRequest = z.input<typeof openRecordingSchema>;

/** The place of a call in a recording: the case, its row and repetition. A run outside of suites has none of them. */
const placeFields = {
	case: z.string().optional(),
	row: z.number().int().min(1).optional(),
	repeat: z.number().int().min(1).optional(),
};

/** `recording` of a run's body: the open recording that the run uses. */
export const recordingUseSchema = z.strictObject({
	id: z.string().min(1).describe('ID of an open recording.'),
	...placeFields,
	secrets: z
		.record(z.string().min(1), z.string())
		.refine(hasFewSecrets, `expected at most ${secretLimits.count} secrets with ${secretLimits.characters} characters in total`)
		.optional()
		.describe('Placeholders and secret values among the inputs, which never appear in a recording.'),
});
export type RecordingUse = z.infer<typeof recordingUseSchema>;

function hasFewSecrets(secrets: Readonly<Record<string, string>>): boolean {
	const values = Object.values(secrets);
	return values.length <= secretLimits.count && values.reduce((sum, { length }) => sum + length, 0) <= secretLimits.characters;
}
export type RecordingPlace = Pick<RecordingUse, 'case' | 'row' | 'repeat'>;

export const createOpenedRecordingSchema = () => z.looseObject({ id: z.string(), entries: z.int() });
export type OpenedRecording = z.infer<ReturnType<typeof createOpenedRecordingSchema>>;

/** A large value that is stored in a separate file. */
const partSchema = z.object({ name: z.string(), content: z.string() });

/**
 * Activity since the last request: recorded calls, the positions of the entries that were replayed, and the requests that no entry
 * matches. `more`: there are further calls, to be taken with another request.
 */
export const createTakenCallsSchema = () =>
	z.looseObject({
		calls: z.array(
			z.looseObject({
				...placeFields,
				node: z.string(),
				call: z.int(),
				/** The document for the file. */
				text: z.string(),
				/** Position of an entry of the file that says the same, which stays as it is. */
				same: z.int().optional(),
				parts: z.array(partSchema),
			}),
		),
		/** Recorded replies that were compared with live ones, with their line in the file, and how they differ. */
		drift: z.array(
			z.looseObject({
				...placeFields,
				node: z.string(),
				line: z.int(),
				outcome: z.enum(['same', 'changed', 'failed']),
				message: z.string(),
			}),
		),
		used: z.array(z.int()),
		misses: z.array(z.looseObject({ ...placeFields, node: z.string(), message: z.string() })),
		more: z.boolean(),
	});
export type TakenCalls = z.infer<ReturnType<typeof createTakenCallsSchema>>;
export type RecordedCall = TakenCalls['calls'][number];
export type RecordingDrift = TakenCalls['drift'][number];
export type RecordingMiss = TakenCalls['misses'][number];

/** Modes of files and options: `once` records if no recording exists, `off` ignores it. */
export const recordingModes = ['once', 'new', 'all', 'none', 'off'] as const;
export type RecordingMode = (typeof recordingModes)[number];
/** Mode that a command or option asks for. */
export type AskedRecordingMode = RecordingMode | 'drift';

/** `recordings` of a run file or suite. */
export const recordingSettingsSchema = z
	.strictObject({
		mode: z
			.enum(recordingModes)
			.optional()
			.describe(
				'`once` records if there is no recording, and replays it otherwise. `new` also records what is missing. `all` records everything again. `none` only replays. `off` ignores the recording. Default: `once`.',
			),
		file: z.string().min(1).optional().describe('Path of the recording, relative to this file. Default: `NAME.recording.yaml` beside it.'),
		ignore: z.array(z.string().min(1)).optional().describe('Paths in requests that are not compared, for example `messages[0].content`.'),
		expires: z
			.string()
			.regex(/^[1-9]\d{0,4}d( (warn|error|record))?$/)
			.optional()
			.describe('Age in days after which replies are old, and what to do then: `90d warn` (default), `90d error` or `90d record`.'),
		timing: openRecordingSchema.shape.timing
			.unwrap()
			.optional()
			.describe('Pace of replayed streams: `none` (at once, default), `recorded`, or milliseconds per chunk.'),
	})
	.describe('Recorded replies of models, tools and services, which are replayed instead of calling them. Only for the built-in gateway.');
export type RecordingSettings = z.infer<typeof recordingSettingsSchema>;
