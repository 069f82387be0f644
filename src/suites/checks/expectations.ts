import { type LocalizableMessage, localizable } from '#base/text/localizableMessage.ts';

// Each function returns a complete sentence without its period: the title of a check and the start of its failure message. `not` is true for
// inverted checks. `subject` is a name that isn't translated, such as `run.status`.

export const describeExistence = (subject: string, not: boolean): LocalizableMessage =>
	not ? localizable`'${subject}' shouldn't exist` : localizable`'${subject}' should exist`;

export const describeEquality = (subject: string, value: string, not: boolean): LocalizableMessage =>
	not ? localizable`'${subject}' shouldn't equal ${value}` : localizable`'${subject}' should equal ${value}`;

export const describeChoice = (subject: string, values: string, not: boolean): LocalizableMessage =>
	not ? localizable`'${subject}' shouldn't be one of ${values}` : localizable`'${subject}' should be one of ${values}`;

export const describeContent = (subject: string, part: string, not: boolean): LocalizableMessage =>
	not ? localizable`'${subject}' shouldn't contain ${part}` : localizable`'${subject}' should contain ${part}`;

export const describeFullContent = (subject: string, parts: string, not: boolean): LocalizableMessage =>
	not ? localizable`'${subject}' shouldn't contain all of ${parts}` : localizable`'${subject}' should contain all of ${parts}`;

export const describeStart = (subject: string, start: string, not: boolean): LocalizableMessage =>
	not ? localizable`'${subject}' shouldn't start with ${start}` : localizable`'${subject}' should start with ${start}`;

export const describeEnd = (subject: string, end: string, not: boolean): LocalizableMessage =>
	not ? localizable`'${subject}' shouldn't end with ${end}` : localizable`'${subject}' should end with ${end}`;

export const describePattern = (subject: string, pattern: string, not: boolean): LocalizableMessage =>
	not ? localizable`'${subject}' shouldn't match /${pattern}/` : localizable`'${subject}' should match /${pattern}/`;

export const describeSchema = (subject: string, not: boolean): LocalizableMessage =>
	not ? localizable`'${subject}' shouldn't match the schema` : localizable`'${subject}' should match the schema`;

export const describeCloseness = (subject: string, value: string, distance: string | number, not: boolean): LocalizableMessage =>
	not
		? localizable`'${subject}' shouldn't be within ${distance} of ${value}`
		: localizable`'${subject}' should be within ${distance} of ${value}`;

export const describeSimilarity = (subject: string, text: string, score: string | number, not: boolean): LocalizableMessage =>
	not
		? localizable`'${subject}' shouldn't have a similarity of ${score} or more to ${text}`
		: localizable`'${subject}' should have a similarity of at least ${score} to ${text}`;

export const describeSnapshot = (subject: string, not: boolean): LocalizableMessage =>
	not ? localizable`'${subject}' shouldn't equal the snapshot` : localizable`'${subject}' should equal the snapshot`;

export const describeSnapshotValue = (subject: string, value: string, not: boolean): LocalizableMessage =>
	not ? localizable`'${subject}' shouldn't equal the snapshot ${value}` : localizable`'${subject}' should equal the snapshot ${value}`;

export const describeJudgment = (subject: string, model: string): LocalizableMessage =>
	localizable`'${subject}' should be graded by '${model}'`;

export const describeGrade = (subject: string, grade: string | number, rubric: string, not: boolean): LocalizableMessage =>
	not
		? localizable`'${subject}' should be graded below ${grade} for "${rubric}"`
		: localizable`'${subject}' should be graded ${grade} or better for "${rubric}"`;

export const describeTruth = (subject: string, not: boolean): LocalizableMessage =>
	not ? localizable`'${subject}' shouldn't return true` : localizable`'${subject}' should return true`;

export const describeMaximum = (subject: string, max: string | number, not: boolean): LocalizableMessage =>
	not ? localizable`'${subject}' should be more than ${max}` : localizable`'${subject}' should be at most ${max}`;

export const describeMinimum = (subject: string, min: string | number, not: boolean): LocalizableMessage =>
	not ? localizable`'${subject}' should be less than ${min}` : localizable`'${subject}' should be at least ${min}`;

export const describeRange = (subject: string, min: string | number, max: string | number, not: boolean): LocalizableMessage =>
	not ? localizable`'${subject}' shouldn't be between ${min} and ${max}` : localizable`'${subject}' should be between ${min} and ${max}`;

export const describeCalls = (calls: string, not: boolean): LocalizableMessage =>
	not ? localizable`The tool calls of the run shouldn't match ${calls}` : localizable`The tool calls of the run should match ${calls}`;

export const describePath = (nodes: string, not: boolean): LocalizableMessage =>
	not ? localizable`The nodes of the run shouldn't match ${nodes}` : localizable`The nodes of the run should match ${nodes}`;
