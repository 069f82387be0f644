import * as vscode from 'vscode';
import { createFormatter } from '#base/text/formatter.ts';

/** Formats numbers, dates, times and lists in the editor's language. */
export const { formatNumber, formatDate, formatTime, formatDateTime, formatSize, formatList } = createFormatter(() => vscode.env.language);
