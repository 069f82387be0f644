import * as vscode from 'vscode';
import { createFormatter } from '#base/text/formatter.ts';

/** Formats numbers, dates and times in the editor's language. */
export const { formatNumber, formatDate, formatTime, formatDateTime } = createFormatter(() => vscode.env.language);
