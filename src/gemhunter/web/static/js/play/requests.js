// Requests about games that may take a while; the notes of the server ("compiling …") are passed on.
import { stream } from "../api.js";

/**
 * Ask; `onNote` gets the notes while waiting. @param {string} path @param {object} body
 * @param {{signal?: AbortSignal, onNote?: (text: string) => void, onItem?: (item: any) => void}} [options] @returns {Promise<any>}
 */
export function follow(path, body, { signal, onNote, onItem } = {}) {
  return stream(path, body, { signal, onItem, onProgress: (progress) => progress?.note && onNote?.(progress.note) });
}
