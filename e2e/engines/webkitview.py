#!/usr/bin/python3
# A bare window with WebKit's engine, for WebKitWebDriver: MiniBrowser's toolbar keeps its window wider than a phone, and
# it keeps the console to itself. The last argument is the file to which complaints of pages are written.
import os
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2

COMPLAIN = """
const tell = (...words) => webkit.messageHandlers.complaint.postMessage(words.join(" "));
console.error = console.warn = tell;
addEventListener("error", ({ message, target }) => {
  if (message || target.localName === "script") tell(message ?? target.src);
}, true);
addEventListener("unhandledrejection", ({ reason }) => tell("unhandled:", reason));
addEventListener("securitypolicyviolation", (event) => tell("policy:", event.violatedDirective, event.blockedURI));
"""

log = os.open(sys.argv[-1], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
context = WebKit2.WebContext.new_ephemeral()
context.set_automation_allowed(True)
settings = WebKit2.Settings(hardware_acceleration_policy=WebKit2.HardwareAccelerationPolicy.NEVER)
windows = []


def complained(_manager, result):
    os.write(log, (result.get_js_value().to_string() + "\n").encode())


def create(_session):
    manager = WebKit2.UserContentManager()
    manager.register_script_message_handler("complaint")
    manager.connect("script-message-received::complaint", complained)
    manager.add_script(
        WebKit2.UserScript(
            COMPLAIN, WebKit2.UserContentInjectedFrames.TOP_FRAME, WebKit2.UserScriptInjectionTime.START
        )
    )
    view = WebKit2.WebView(
        web_context=context, settings=settings, user_content_manager=manager, is_controlled_by_automation=True
    )
    window = Gtk.Window(default_width=390, default_height=844, decorated=False)
    window.add(view)
    window.show_all()
    windows.append(window)
    return view


def started(_context, session):
    info = WebKit2.ApplicationInfo()
    info.set_name("zedcard-webkit")
    session.set_application_info(info)
    session.connect("create-web-view", create)


context.connect("automation-started", started)
Gtk.main()
